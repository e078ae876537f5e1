import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { PlainServerError } from "../_shared/open-socket.ts";

/** Protocol message: "do you speak TLS?", answered by one letter. */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Asks a Postgres server for TLS. Rejects with `PlainServerError` when it has none, or with what broke the connection. */
export async function askForTls(socket: Socket): Promise<void> {
  const received = await new Promise<Buffer>((resolve, reject) => {
    socket.once("data", resolve);
    socket.once("end", () => resolve(Buffer.alloc(0)));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("The connection closed.")));
    socket.write(sslRequest);
  });
  // More than the one letter would be text that somebody put in before the encryption begins.
  if (received.length !== 1 || received[0] !== 0x53) throw new PlainServerError("The server has no TLS.");
}
