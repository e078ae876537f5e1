import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ConnectionPool, createConnectionPool, type OwnConnections } from "./connection-pool.ts";
import { guardedFetch, guardedStream } from "./guarded-fetch.ts";
import { parseHostList } from "./host-list.ts";
import { startRawServer, type RawServer } from "./testing/raw-server.ts";

let server: RawServer;
/** The requests that came over each connection, in order of the connections. */
let came: number[];
let talk: (socket: Socket, connection: number, request: number) => void;
let pool: ConnectionPool;
let own: OwnConnections;

const hello = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";

beforeEach(async () => {
  came = [];
  talk = (socket) => void socket.write(hello);
  server = await startRawServer((socket) => {
    const connection = came.push(1) - 1;
    talk(socket, connection, 1);
    socket.on("data", () => talk(socket, connection, (came[connection] = (came[connection] ?? 0) + 1)));
  });
  pool = createConnectionPool();
  own = pool.of("user", "credential");
});

afterEach(() => server.stop());

const options = (connections: OwnConnections, host = `127.0.0.1:${server.port}`) => ({
  allowHosts: parseHostList(host).list,
  connections,
  resolve: async () => ["127.0.0.1"],
});

async function ask(connections = own, host = `127.0.0.1:${server.port}`): Promise<string> {
  const answer = await guardedFetch({ url: `http://${host}/` }, options(connections, host));
  return answer.ok ? new TextDecoder().decode(answer.value.body) : answer.error.code;
}

describe("a connection", () => {
  test("serves the calls of one user with one credential to one origin, one after another", async () => {
    for (let time = 0; time < 3; time += 1) expect(await ask()).toBe("hello");
    expect(came).toEqual([3]);
    await ask(pool.of("user", "other credential"));
    await ask(pool.of("other user", "credential"));
    await ask(pool.of("user", null));
    await ask(own, `vendor.example.test:${server.port}`);
    expect(came).toEqual([3, 1, 1, 1, 1]);
  });

  test("serves one call at a time, and few are kept", async () => {
    await Promise.all(Array.from({ length: 9 }, () => ask()));
    expect(came).toHaveLength(9);
    await expect.poll(server.open).toBe(6);
    await ask();
    expect(came).toHaveLength(9);
  });

  test("whose answer was not read to its end is closed", async () => {
    talk = (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nhello");
    const opened = await guardedStream({ url: `http://127.0.0.1:${server.port}/` }, options(own));
    if (!opened.ok) throw new Error(opened.error.message);
    const reader = opened.value.body.getReader();
    await reader.read();
    await reader.cancel();
    await expect.poll(server.open).toBe(0);
    talk = (socket) => void socket.write(hello);
    expect(await ask()).toBe("hello");
    expect(came).toEqual([1, 1]);
  });

  test.each([
    ["says that it closes", (socket: Socket) => socket.end(hello.replace("\r\n", "\r\nconnection: close\r\n"))],
    ["closes without a word", (socket: Socket) => socket.end(hello)],
  ])("that the server %s is not used again", async (_how, answer) => {
    talk = answer;
    expect(await ask()).toBe("hello");
    await expect.poll(server.open).toBe(0);
    expect(await ask()).toBe("hello");
    expect(came).toEqual([1, 1]);
  });

  test("that the server closes as the next request comes is replaced, and the request made again", async () => {
    talk = (socket, _connection, request) => void (request === 1 ? socket.write(hello) : socket.destroy());
    expect(await ask()).toBe("hello");
    expect(await ask()).toBe("hello");
    expect(came).toEqual([2, 1]);
  });

  test("that breaks in the middle of an answer is not tried again", async () => {
    talk = (socket, _connection, request) =>
      void (request === 1 ? socket.write(hello) : socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhel"));
    expect(await ask()).toBe("hello");
    const opened = await guardedStream({ url: `http://127.0.0.1:${server.port}/` }, options(own));
    if (!opened.ok) throw new Error(opened.error.message);
    await expect(new Response(opened.value.body).text()).rejects.toThrow("broke");
    expect(came).toEqual([2]);
  });

  test("on which more came than the answer never gives that to the next call", async () => {
    talk = (socket, connection) =>
      void socket.write(connection === 0 ? `${hello}HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nbad` : hello);
    expect(["hello", "network"]).toContain(await ask());
    expect(await ask()).toBe("hello");
    expect(came.slice(1)).toEqual([1]);
  });

  test("S2 is not used where its address may not be called any more", async () => {
    const host = `vendor.example.test:${server.port}`;
    expect(await ask(own, host)).toBe("hello");
    const now = { ...options(own, host), allowHosts: [], servicePorts: true };
    const refused = await guardedFetch({ url: `http://${host}/` }, now);
    expect(refused).toMatchObject({ ok: false, error: { code: "blocked_address" } });
    expect(came).toEqual([1]);
    await expect.poll(server.open).toBe(0);
  });
});
