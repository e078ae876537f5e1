import { afterEach, expect, it } from "vitest";
import { type LoopbackServer, startLoopbackServer } from "../supabase/functions/_shared/testing/loopback-server.ts";
import { fetchBeside, type FunctionPlace, type FunctionQuestion } from "./functions-beside.ts";

const functionsUrl = "https://studio.test/functions/v1";

let server: LoopbackServer | undefined;
afterEach(() => server?.stop());

/** The process that holds the functions: answers as it is told and notes what it was asked. */
function holderOf(place: (id: number) => FunctionPlace) {
  const asked: FunctionQuestion[] = [];
  let tell: (place: FunctionPlace) => void = () => {};
  return {
    asked,
    ask(question: FunctionQuestion) {
      asked.push(question);
      if (question.kind === "call") queueMicrotask(() => tell(place(question.id)));
    },
    onPlace(listener: (place: FunctionPlace) => void) {
      tell = listener;
    },
  };
}

const at = (origin: string) => (id: number) => ({ kind: "place", id, origin, token: "test-key-proof" }) as const;

it("calls the function beside it with its proof, and says when the answer was read", async () => {
  server = await startLoopbackServer(
    (_request, response) => void response.writeHead(201, { "x-kept": "1" }).end("read"),
  );
  const holder = holderOf(at(`http://${server.host}`));
  const send = fetchBeside(functionsUrl, holder);
  const response = await send(`${functionsUrl}/llm-proxy/v1/messages?beta=1`, {
    method: "POST",
    headers: { authorization: "Bearer token" },
    body: "{}",
  });
  expect(holder.asked).toEqual([{ kind: "call", id: 1, name: "llm-proxy" }]);
  expect([response.status, response.headers.get("x-kept"), await response.text()]).toEqual([201, "1", "read"]);
  expect(holder.asked.at(-1)).toEqual({ kind: "ended", id: 1 });
  expect(server.seen).toMatchObject([
    {
      method: "POST",
      body: "{}",
      headers: { authorization: "Bearer token", "x-switchyard-functions-token": "test-key-proof" },
    },
  ]);
});

it("sends nothing else there, and its proof nowhere else", async () => {
  const sent: string[] = [];
  const holder = holderOf(at("http://127.0.0.1:1"));
  const send = fetchBeside(functionsUrl, holder, (input, init) => {
    sent.push(`${String(input)} ${JSON.stringify(init ?? null)}`);
    return Promise.resolve(new Response());
  });
  const elsewhere = [
    "https://studio.test/rest/v1/studio_agent_memory",
    `${functionsUrl}/credentials`,
    `${functionsUrl}/doors/v1/models`,
    `${functionsUrl}x/llm-proxy`,
    "https://other.test/functions/v1/llm-proxy",
  ];
  for (const url of elsewhere) await send(url);
  expect(sent).toEqual(elsewhere.map((url) => `${url} null`));
  expect(holder.asked).toEqual([]);
});

it("a function that does not run is answered with when to come again", async () => {
  const holder = holderOf((id) => ({ kind: "pause", id, message: "It is about to start.", retryAfter: 4 }));
  const response = await fetchBeside(functionsUrl, holder)(`${functionsUrl}/execute-http`, { method: "POST" });
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "4"]);
  expect(await response.json()).toMatchObject({ error: { message: "It is about to start.", retryable: true } });
  expect(holder.asked.at(-1)).toEqual({ kind: "ended", id: 1 });
});

it("S97 of a call whose function is gone nobody knows whether it was made: only a model's may be made again", async () => {
  server = await startLoopbackServer((request) => void request.socket.destroy());
  const holder = holderOf(at(`http://${server.host}`));
  const send = fetchBeside(functionsUrl, holder);
  for (const [name, retryable] of [
    ["execute-http", false],
    ["sql-tool", false],
    ["llm-proxy", true],
  ] as const) {
    const response = await send(`${functionsUrl}/${name}`, { method: "POST", body: "{}" });
    expect(response.status).toBe(503);
    expect(await response.json(), name).toMatchObject({ error: { code: "internal", retryable } });
  }
  expect(holder.asked.filter(({ kind }) => kind === "ended")).toHaveLength(3);
});

it("a call that is cancelled, or whose answer is left, ends", async () => {
  server = await startLoopbackServer((_request, response) => void response.writeHead(200).write("begun"));
  const holder = holderOf(at(`http://${server.host}`));
  const send = fetchBeside(functionsUrl, holder);
  const response = await send(`${functionsUrl}/mcp-proxy`);
  await response.body?.cancel();
  expect(holder.asked.at(-1)).toEqual({ kind: "ended", id: 1 });
  const stopped = AbortSignal.abort(new Error("Cancelled."));
  await expect(send(`${functionsUrl}/mcp-proxy`, { signal: stopped })).rejects.toThrow("Cancelled.");
  expect(holder.asked.at(-1)).toEqual({ kind: "ended", id: 2 });
});
