import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { startRawServer } from "../_shared/testing/raw-server.ts";
import { password, say, withRedis } from "./testing/call-redis-memory.ts";

const { call } = withRedis();
let stop = async (): Promise<void> => undefined;

afterEach(() => stop());

/** A server that answers the first command with what `talk` writes. */
async function listen(talk: (socket: Socket) => void): Promise<number> {
  const server = await startRawServer(talk);
  stop = server.stop;
  return server.port;
}

/** Writes the same for as long as somebody reads. */
function forever(socket: Socket, first: string, piece: Buffer): void {
  socket.write(first);
  const fill = (): void => {
    while (socket.writable && socket.write(piece));
    if (socket.writable) socket.once("drain", fill);
  };
  fill();
}

const megabyte = Buffer.alloc(1024 * 1024, "a");
const longText = Buffer.concat([Buffer.from(`$${megabyte.length}\r\n`), megabyte, Buffer.from("\r\n")]);
const pairs = Buffer.from("*2\r\n:1\r\n:1\r\n".repeat(1_000));
const ok = "+OK\r\n";

describe("S8 a Redis that means harm", () => {
  test.each([
    ["lists that are announced within lists", "network", (socket: Socket) => socket.write("*1\r\n".repeat(300_000))],
    ["lists that are announced as huge", "too_large", (socket: Socket) => socket.write("*30000000\r\n".repeat(40))],
    ["a text of two gigabytes", "too_large", (socket: Socket) => forever(socket, "$2000000000\r\n", megabyte)],
    ["a line without end", "network", (socket: Socket) => forever(socket, "+", megabyte)],
    ["lists of lists without end", "too_large", (socket: Socket) => forever(socket, "*150000\r\n", pairs)],
    ["texts without end", "too_large", (socket: Socket) => forever(socket, "*150000\r\n", longText)],
    ["answers to nothing", "network", (socket: Socket) => socket.write(ok.repeat(1_000))],
    ["answers of another kind", "network", (socket: Socket) => socket.write(`${ok}${ok}+QUEUED\r\n+QUEUED\r\n:5\r\n`)],
    [
      "a web server's redirect",
      "network",
      (socket: Socket) => socket.write("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n"),
    ],
  ])("%s", async (_case, code, talk) => {
    const { error } = await call({ action: "load" }, { port: await listen(talk) });
    expect(error?.code).toBe(code);
  });

  test("S1 a cluster that sends the caller elsewhere is not followed", async () => {
    const port = await listen((socket) => socket.write("-MOVED 1 10.0.0.1:6379\r\n"));
    expect((await call({ action: "load" }, { port })).error).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("cluster"),
    });
  });

  test("S43 errors that repeat the password are not shown", async () => {
    const port = await listen((socket) => socket.write(`-ERR you sent ${password}\r\n`));
    const { error } = await call({ action: "load" }, { port });
    expect(error).toMatchObject({ code: "network" });
    expect(JSON.stringify(error)).not.toContain(password);
  });
});

describe("S30 names and values stay what they are", () => {
  test.each(["a\r\nFLUSHALL\r\n", "$3\r\nabc", "*", "a b ?[x]", "\0", "../..", "x".repeat(1_000)])(
    "%j",
    async (text) => {
      await call({ action: "append", sessionId: "witness", messages: [say("still here")] });
      const place = { sessionId: text, workflowId: text.slice(0, 200), keyPrefix: text.slice(0, 200) };
      await call({ action: "append", ...place, messages: [say(text)] });
      expect((await call({ action: "load", ...place })).value["messages"]).toEqual([say(text)]);
      await call({ action: "clear", ...place });
      const witness = await call({ action: "load", sessionId: "witness" });
      expect(witness.value["messages"]).toContainEqual(say("still here"));
    },
  );
});
