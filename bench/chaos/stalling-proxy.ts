import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";

/** A way to a server on which nothing gets through for a while. */
export interface StallingProxy {
  port: number;
  /** From now on nothing is passed on in either direction; connections stay open, and new ones are taken. */
  stall(): void;
  /** Passes on what was held back, and all that comes. */
  flow(): void;
  stop(): Promise<void>;
}

/** Starts a proxy on loopback in front of a port of this machine. */
export async function startStallingProxy(targetPort: number): Promise<StallingProxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;

  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("data", (data) => {
      if (!other.write(data)) {
        socket.pause();
        other.once("drain", () => (isStalled ? undefined : socket.resume()));
      }
    });
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
    if (isStalled) socket.pause();
  };

  const server = createServer((near) => {
    const far = connect(targetPort, "127.0.0.1");
    keep(near, far);
    keep(far, near);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    flow() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
