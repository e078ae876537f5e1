import type { ModelEvent, ModelRequest, ChatModel } from "../../engine/model/chat-model.ts";
import { userMessage } from "../../engine/model/message.ts";
import { testHost, type TestHost } from "../../engine/testing/test-host.ts";

/** A vendor's answer as it went over the wire. */
export interface Recording {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}

/** How the body's bytes are cut: into single bytes, or in two at one place. */
export type Cut = "single-bytes" | number;

/** What went to the vendor. */
interface SentRequest {
  url: URL;
  method: string;
  headers: Headers;
  body: unknown;
}

/** A host whose network answers with one recording, its bytes cut as asked. */
export function replayHost(recording: Recording, cut: Cut = "single-bytes"): { host: TestHost; sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const host = testHost({
    async fetch(_connection, input, init) {
      const text = typeof init?.body === "string" ? init.body : "null";
      sent.push({
        url: new URL(input instanceof Request ? input.url : input),
        method: init?.method ?? "GET",
        headers: new Headers(init?.headers),
        body: JSON.parse(text),
      });
      const { status = 200, headers = {}, body } = recording;
      const streamed = /^(event|data|:)/.test(body);
      return new Response(cutStream(new TextEncoder().encode(body), cut), {
        status,
        headers: { "content-type": streamed ? "text/event-stream" : "application/json", ...headers },
      });
    },
  });
  return { host, sent };
}

/** How many bytes a recording's body has; every number below it is a place to cut at. */
export function byteLength(recording: Recording): number {
  return new TextEncoder().encode(recording.body).length;
}

function cutStream(bytes: Uint8Array<ArrayBuffer>, cut: Cut): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces =
    cut === "single-bytes"
      ? Array.from(bytes, (_, index) => bytes.slice(index, index + 1))
      : [bytes.slice(0, cut), bytes.slice(cut)].filter((piece) => piece.length > 0);
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
}

/** A request with everything at rest; `over` changes what a test is about. */
export function modelRequest(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [userMessage("Hello")],
    tools: [],
    toolChoice: "auto",
    responseFormat: { type: "text" },
    signal: new AbortController().signal,
    ...over,
  };
}

/** All events of one call. */
export async function collect(model: ChatModel, request: ModelRequest = modelRequest()): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request)) events.push(event);
  return events;
}

/** What arrived, in short: joined text and reasoning, and the last event. */
export function summary(events: ModelEvent[]) {
  let text = "";
  let reasoning = "";
  const warnings: string[] = [];
  for (const event of events) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "reasoning-delta") reasoning += event.text;
    if (event.type === "warning") warnings.push(event.message);
  }
  return { text, reasoning, warnings, last: events.at(-1) };
}
