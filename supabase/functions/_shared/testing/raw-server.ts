import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

export interface RawServer {
  port: number;
  /** How many connections are open now. */
  open(): Promise<number>;
  stop(): Promise<void>;
}

/** A TCP server on a free loopback port for what no proper server says: `talk` is called once a connection's first bytes came. */
export async function startRawServer(talk: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => talk(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    open: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
