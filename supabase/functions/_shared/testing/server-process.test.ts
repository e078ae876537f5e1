import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { onFreePort, untilReady } from "./server-process.ts";
import { startRedisServer } from "./redis-server.ts";

test("a port that another program took meanwhile is left to it, and another one taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address();
  const inUse = typeof address === "object" && address ? address.port : 0;
  const tried: number[] = [];
  const server = await onFreePort((port) => {
    tried.push(port);
    return startRedisServer({ port: tried.length === 1 ? inUse : port });
  });
  expect(tried.length).toBeGreaterThan(1);
  expect(server.port).toBe(tried.at(-1));
  await server.stop();
  taken.close();
});

test("a server that ends before it is ready says what it printed", async () => {
  const child = spawn(process.execPath, ["-e", "console.error('no such directory'); process.exit(3)"]);
  await expect(untilReady(child, "the server", "ready")).rejects.toThrow("the server ended with 3:\nno such directory");
  await expect(onFreePort(() => Promise.reject(new Error("another reason")))).rejects.toThrow("another reason");
});
