import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { type Reply, RedisError, ReplyError, ReplyReader } from "./read-reply.ts";

/** A command's name and its arguments. Each is sent with its length, so that no value can become another command. */
export type Command = readonly (string | number)[];

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** Commands on one open connection. Everything rejects with a RedisError, or with what broke the connection. */
export interface RedisConnection {
  send(command: Command): Promise<Reply>;
  /** All of them or none; the result of each, or null when a watched key has changed. */
  transaction(commands: readonly Command[]): Promise<readonly Reply[] | null>;
}

/**
 * A client for the Redis behind a socket; commands may be sent before earlier ones are answered. It is our own because the
 * socket is one whose address was checked, and because the server may be anyone's: replies are read with limits on size
 * and nesting (`read-reply.ts`). What memory needs of the protocol is a few commands.
 */
export function speakRedis(socket: Socket): RedisConnection {
  const reader = new ReplyReader();
  const waiting: Waiting[] = [];
  let broken: Error | undefined;

  const fail = (error: Error): void => {
    broken ??= error;
    for (const { reject } of waiting.splice(0)) reject(broken);
    socket.destroy();
  };
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("The connection closed.")));
  socket.on("data", (piece: Buffer) => {
    if (broken !== undefined) return;
    try {
      for (const reply of reader.push(piece)) {
        const next = waiting.shift();
        if (next === undefined) throw new ReplyError("An answer that nobody asked for.");
        next.resolve(reply);
      }
    } catch (error) {
      fail(error instanceof Error ? error : new ReplyError("An answer that cannot be read."));
    }
  });

  const ask = (commands: readonly Command[]): Promise<Reply[]> => {
    const replies = commands.map(
      () => new Promise<Reply>((resolve, reject) => (broken ? reject(broken) : waiting.push({ resolve, reject }))),
    );
    if (broken === undefined) socket.write(Buffer.concat(commands.map(encode)));
    return Promise.all(replies);
  };

  return {
    async send(command) {
      const [reply = null] = await ask([command]);
      if (reply instanceof RedisError) throw reply;
      return reply;
    },
    async transaction(commands) {
      const replies = await ask([["MULTI"], ...commands, ["EXEC"]]);
      // A command that was refused on its way in says why; the last answer would only say that there was one.
      const refused = replies.find((reply) => reply instanceof RedisError);
      if (refused !== undefined) throw refused;
      const results = replies.at(-1);
      if (results === null) return null;
      if (!Array.isArray(results) || results.length !== commands.length) throw new ReplyError("No results.");
      const failed: Reply | undefined = results.find((result) => result instanceof RedisError);
      if (failed instanceof RedisError) throw failed;
      return results;
    },
  };
}

function encode(command: Command): Buffer {
  const words = command.map((word) => Buffer.from(String(word), "utf8"));
  const pieces = words.flatMap((word) => [Buffer.from(`$${word.length}\r\n`), word, Buffer.from("\r\n")]);
  return Buffer.concat([Buffer.from(`*${words.length}\r\n`), ...pieces]);
}
