import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { ChatEvent } from "../doors/chat-api.ts";
import { createChatClient } from "./chat-client.ts";

let server: Server | undefined;
afterEach(() => void server?.close());

async function clientOf(answer: RequestListener, token: string | null = "test-key-visitor") {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return createChatClient(`http://127.0.0.1:${port}/c-api/help`, () => token);
}

async function all(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const list: ChatEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

const message = { text: "Hello", key: "00000000-0000-4000-8000-000000000001" };
const start = { type: "start", runId: "r", threadId: "t" };
const end = { type: "end", status: "completed", answer: "Grüße" };
const sse = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

describe("the chat page's client", () => {
  it("S76 sends the visitor's token as a header and no cookie", async () => {
    const seen: (string | undefined)[] = [];
    const client = await clientOf((request, response) => {
      seen.push(request.headers.authorization, request.headers.cookie);
      response.setHeader("set-cookie", "a=b").end(JSON.stringify({ threads: [] }));
    });
    await client.threads();
    await client.threads();
    expect(seen).toEqual(["Bearer test-key-visitor", undefined, "Bearer test-key-visitor", undefined]);
  });

  it("reads events that arrive in pieces of one byte", async () => {
    const client = await clientOf((_request, response) => {
      response.setHeader("content-type", "text/event-stream");
      for (const byte of Buffer.from(sse(start, { type: "text", delta: "Grüße" }, end)))
        response.write(Buffer.of(byte));
      response.end();
    });
    expect(await all(client.send(message, new AbortController().signal))).toEqual([
      start,
      { type: "text", delta: "Grüße" },
      end,
    ]);
  });

  it("says that an answer was cut off", async () => {
    const client = await clientOf((_request, response) => {
      response.write(sse(start), () => response.destroy());
    });
    await expect(all(client.follow("r", new AbortController().signal))).rejects.toMatchObject({ code: "unreachable" });
  });

  it("gives a refusal by its code, words and waiting time", async () => {
    const client = await clientOf((_request, response) => {
      const problem = { type: "about:blank", title: "Closed", status: 503, detail: "Back tomorrow.", code: "closed" };
      response.writeHead(503, { "retry-after": "60" }).end(JSON.stringify(problem));
    });
    await expect(client.page()).rejects.toMatchObject({ code: "closed", message: "Back tomorrow.", retryAfter: 60 });
  });

  it.each([
    ["is no JSON", "<html>"],
    ["is of another form", JSON.stringify({ threads: "none" })],
  ])("refuses an answer that %s", async (_name, body) => {
    const client = await clientOf((_request, response) => void response.end(body));
    await expect(client.threads()).rejects.toMatchObject({ code: "internal" });
  });

  it("says that nobody answers", async () => {
    const client = createChatClient("http://127.0.0.1:9/c-api/help", () => null);
    await expect(client.page()).rejects.toMatchObject({ code: "unreachable" });
  });
});
