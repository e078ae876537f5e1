import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface ProxyTestServer {
  port: number;
  /** The hosts and ports that tunnels were asked for, oldest first. */
  asked: string[];
  stop(): Promise<void>;
}

/**
 * A real proxy on a free loopback port that opens tunnels. Every name leads to `targetPort` of this machine, whatever port was
 * asked for. `answer` refuses a tunnel with a status; null lets it be, "silent" never answers.
 */
export async function startProxyServer(options: {
  targetPort: number;
  /** `user:password`, without which it answers 407. */
  account?: string;
  answer?: (authority: string) => number | "silent" | null;
  tls?: { key: string; cert: string };
}): Promise<ProxyTestServer> {
  const asked: string[] = [];
  const open = new Set<Duplex>();
  const wanted = options.account && `Basic ${Buffer.from(options.account).toString("base64")}`;
  const onConnect = (request: IncomingMessage, socket: Duplex): void => {
    const authority = request.url ?? "";
    asked.push(authority);
    socket.on("error", () => undefined);
    const refused = request.headers["proxy-authorization"] === wanted ? (options.answer?.(authority) ?? null) : 407;
    if (refused === "silent") return;
    if (refused !== null) {
      return void socket.end(`HTTP/1.1 ${refused} Refused\r\ncontent-length: 0\r\n\r\n`);
    }
    const target: Socket = connect(options.targetPort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.destroy());
    socket.on("close", () => target.destroy());
  };
  const server = options.tls ? createTlsServer(options.tls) : createServer();
  server.on("connect", onConnect);
  server.on("connection", (socket: Duplex) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
