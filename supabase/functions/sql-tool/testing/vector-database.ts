import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite/vector";

/** A PostgreSQL with pgvector on loopback. */
export interface VectorDatabase {
  /** Of its only role, `postgres`; any password will do. */
  url: string;
  run(sql: string): Promise<unknown>;
  stop(): Promise<void>;
}

const sslRequest = 80_877_103;

/** PGlite has one session for all. So a connection has it to itself from its first message until its transaction ends. */
function oneAtATime(answer: (message: Uint8Array) => Promise<Uint8Array>) {
  const waiting: { socket: Socket; message: Uint8Array }[] = [];
  let holder: Socket | undefined;
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (;;) {
      if (holder?.destroyed === true) {
        await answer(rollback);
        holder = undefined;
      }
      const at = waiting.findIndex(({ socket }) => holder === undefined || socket === holder);
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      if (next.socket.destroyed) continue;
      holder = next.socket;
      const reply = await answer(next.message);
      next.socket.write(reply);
      if (isIdle(reply)) holder = undefined;
    }
  }

  function wake(): void {
    working ??= work().finally(() => {
      working = undefined;
    });
  }

  return {
    take(socket: Socket, message: Uint8Array): void {
      waiting.push({ socket, message });
      wake();
    },
    /** A connection was closed. */
    left: wake,
    /** Resolves once nothing is being answered. */
    async rest(): Promise<void> {
      if (!working) return;
      await working;
      await this.rest();
    },
  };
}

const rollback = Buffer.from("Q\0\0\0\x0drollback\0", "latin1");

/** Whether an answer ends with "ready for a query" outside a transaction. */
const isIdle = (reply: Uint8Array): boolean =>
  Buffer.from(reply.subarray(-6)).equals(Buffer.from("Z\0\0\0\x05I", "latin1"));

/** PGlite with pgvector behind a socket: the real extension where no server has it. */
export async function startVectorDatabase(setup: string): Promise<VectorDatabase> {
  const database = await PGlite.create({ extensions: { vector } });
  await database.exec(setup);
  const open = new Set<Socket>();
  const session = oneAtATime((message) => database.execProtocolRaw(message));
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => {
      open.delete(socket);
      session.left();
    });
    socket.on("error", () => socket.destroy());
    socket.on("data", (message) => {
      if (message.length === 8 && message.readInt32BE(4) === sslRequest) return void socket.write("N");
      session.take(socket, message);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `postgresql://postgres:test-key-vectors@127.0.0.1:${address.port}/postgres`,
    run: (sql) => database.exec(sql),
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await session.rest();
      await database.close();
    },
  };
}
