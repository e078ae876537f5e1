import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface LoopbackServer {
  port: number;
  /** `127.0.0.1:<port>`, as it stands in a URL. */
  host: string;
  /** Requests that arrived, oldest first. */
  seen: SeenRequest[];
  /** How many sockets were opened. */
  connections(): number;
  stop(): Promise<void>;
}

/** A real HTTP server on a free loopback port that keeps what it was sent. */
export async function startLoopbackServer(
  listener: RequestListener,
  tls?: { key: string; cert: string },
): Promise<LoopbackServer> {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const keep: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString("utf8") });
      listener(request, response);
    });
  };
  const server: Server = tls === undefined ? createServer(keep) : createTlsServer(tls, keep);
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    seen,
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
