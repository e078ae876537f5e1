import { afterEach, expect, test } from "vitest";
import { bodyRefusal, BodyRefused, type BodyTerms, receiveWhole } from "../../functions/_shared/receive-body.ts";
import { createByteBudget } from "../../functions/_shared/byte-budget.ts";
import { connectionLimits } from "./connection-limits.ts";
import { type HttpServer, listen } from "./http-server.ts";
import { beginPost, beginRequest, manyLists } from "../testing/hostile-requests.ts";

let server: HttpServer;
afterEach(() => server.close());

/** A server that receives bodies under these terms; its address. */
async function receiving(terms: BodyTerms): Promise<string> {
  server = await listen("127.0.0.1", 0);
  server.handle(async (request) => {
    try {
      return Response.json({ received: (await receiveWhole(request, terms)).byteLength });
    } catch (error) {
      if (!(error instanceof BodyRefused)) throw error;
      const { status, ...words } = bodyRefusal(error.problem, terms);
      return Response.json(words, { status, headers: { connection: "close" } });
    }
  });
  return `http://127.0.0.1:${server.port}`;
}

test("S62 a body that stops coming is given up on with 408", async () => {
  const url = await receiving({ maxBytes: 1_000_000, patience: { graceMs: 200, bytesPerSecond: 1_000_000 } });
  const half = beginPost(url, "/", { announced: 1_000, sent: 10 });
  half.socket.once("data", () => half.socket.end());
  expect(await half.answer).toMatch(/^HTTP\/1\.1 408 .*"hint"/s);
});

test("S62 a body that announces more than a stranger may send is refused before it comes", async () => {
  const url = await receiving({ maxBytes: 65_536, fromStranger: true });
  const half = beginPost(url, "/", { announced: 30_000_000, sent: 10 });
  half.socket.once("data", () => half.socket.end());
  expect(await half.answer).toMatch(/^HTTP\/1\.1 401 .*signed-in/s);
});

test("S62 a body of 1.5 million lists is counted before it is parsed", async () => {
  const url = await receiving({ maxBytes: 6_000_000, json: { depth: 500, values: 100_000 } });
  const answer = await fetch(url, { method: "POST", body: manyLists() });
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({
    message: "The request holds more than 100,000 values.",
    retryable: false,
  });
});

test("S62 what one sender, and what all together may hold is bounded, and given back", async () => {
  const budget = createByteBudget({ perOwner: 100, total: 150 });
  const [first, second] = [budget.open("a"), budget.open("b")];
  expect([first.take(100), first.take(1), second.take(50), second.take(1)]).toEqual([null, "owner", null, "all"]);
  first.giveBack();
  first.giveBack();
  expect([budget.taken(), second.take(50), second.take(1)]).toEqual([50, null, "owner"]);
  const url = await receiving({ maxBytes: 1_000, share: second });
  const answer = await fetch(url, { method: "POST", body: "more" });
  expect([answer.status, await answer.json()]).toEqual([429, expect.objectContaining({ retryAfter: 2 })]);
});

test("S62 headers that do not end are given up on with 408, and connections beyond the limit are refused", async () => {
  server = await listen("127.0.0.1", 0, null, { ...connectionLimits, headersMs: 2_000, fromLoopback: 2 });
  let answered = 0;
  server.handle(async () => new Response(String((answered += 1))));
  const url = `http://127.0.0.1:${server.port}`;
  const slow = [1, 2].map(() => beginRequest(url, ["GET / HTTP/1.1"]));
  await Promise.all(slow.map(({ socket }) => new Promise((resolve) => socket.once("connect", resolve))));
  const refused = await beginRequest(url, ["GET / HTTP/1.1", "", ""]).answer;
  expect(refused).toMatch(/^HTTP\/1\.1 429 .*retry-after: \d.*"hint"/s);
  for (const { answer } of slow) expect(await answer).toMatch(/^HTTP\/1\.1 408 .*"hint"/s);
  await expect.poll(async () => (await fetch(url).catch(() => null))?.status).toBe(200);
  expect(answered).toBe(1);
});
