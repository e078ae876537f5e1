import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signUp, type SignedIn } from "../testing/clients.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

let stack: TestStack;
let user: SignedIn;

beforeAll(async () => {
  stack = await startTestStack({ functions: true });
  user = await signUp(stack);
});
afterAll(() => stack.stop());

const piece = Buffer.alloc(64 * 1024, "x");

/** Sends all of a large body before it reads a byte of the answer, as simple clients do; gives the status, or what broke. */
function upload(
  path: string,
  bytes: number,
  form: "announced" | "chunked",
  headers: readonly string[],
): Promise<string> {
  const { hostname, port, host } = new URL(stack.url);
  const socket = connect(Number(port), hostname);
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    "content-type: application/json",
    ...headers,
    form === "announced" ? `content-length: ${bytes}` : "transfer-encoding: chunked",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const closed = once(socket, "close").catch(() => undefined);
  const sent = (async () => {
    for (let left = bytes; left > 0; left -= piece.length) {
      const part = piece.subarray(0, Math.min(left, piece.length));
      const framed =
        form === "announced"
          ? part
          : Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]);
      // One listener for the end, however often it waits: more than ten would be warned of.
      if (!socket.write(framed)) {
        await Promise.race([
          closed,
          new Promise((resolve) => socket.removeAllListeners("drain").once("drain", resolve)),
        ]);
      }
      if (socket.destroyed) return;
    }
    if (form === "chunked") socket.write("0\r\n\r\n");
  })();
  return new Promise((resolve) => {
    let answer = "";
    socket.on("error", (error) => resolve(error.message));
    socket.on("close", () => resolve(answer.split("\r\n")[0] ?? ""));
    void sent.then(() => socket.on("data", (data) => (answer += data.toString())).once("data", () => socket.end()));
  });
}

describe("S62 a body that is too large is answered so that its sender can read it", () => {
  const asUser = () => [`apikey: ${stack.key}`, `authorization: Bearer ${user.accessToken}`];
  const withKey = () => [`authorization: Bearer sy_${"a".repeat(43)}`];
  const cases: [path: string, headers: () => string[], bytes: number, status: string][] = [
    ["/rest/v1/studio_workflows", asUser, 40, "413"],
    ["/rest/v1/studio_workflows", () => [`apikey: ${stack.key}`], 20, "401"],
    ["/functions/v1/execute-http", asUser, 40, "413"],
    ["/functions/v1/execute-http", asUser, 20, "413"],
    ["/functions/v1/execute-http", () => [], 20, "401"],
    ["/api/run/none", withKey, 40, "4(?:13|01)"],
    ["/api/run/none", withKey, 20, "401"],
    ["/v1/chat/completions", withKey, 20, "401"],
    ["/mcp", withKey, 20, "401"],
    ["/a2a/none", withKey, 20, "401"],
    ["/hooks/none", () => [], 20, "404"],
    ["/c-api/none/messages", () => [], 20, "404"],
  ];
  test.each(cases)("S62 at %s", async (path, headers, megabytes, status) => {
    for (const form of ["announced", "chunked"] as const) {
      expect(await upload(path, megabytes * 1024 * 1024, form, headers()), form).toMatch(
        new RegExp(`^HTTP/1.1 ${status} `),
      );
    }
  });
});
