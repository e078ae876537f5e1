import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod/mini";
import { type LoopbackServer, startLoopbackServer } from "../../supabase/functions/_shared/testing/loopback-server.ts";

/** A request that one of the servers got: which step of which run. */
export interface Hit {
  run: string;
  step: number;
  /** Milliseconds since 1970 when it came. */
  at: number;
  /** The header with which a call says that it is the same as before. */
  key: string | undefined;
}

/** A model vendor and a web API that note every call. */
export interface StepServers {
  vendor: LoopbackServer;
  api: LoopbackServer;
  modelHits: Hit[];
  toolHits: Hit[];
  /** When the first word was said to whoever asked for words, by `performance.now()`. */
  spokenAt: Map<string, number>;
  /** Steps, as `run/step`, at which the model refuses the request. */
  refused: Set<string>;
  /** Called when a tool call has come; it is answered once this has resolved. */
  onToolHit: ((hit: Hit) => void | Promise<void>) | undefined;
  /** The same for requests to the model. */
  onModelHit: ((hit: Hit) => void | Promise<void>) | undefined;
  stop(): Promise<void>;
}

const requestBody = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});

/**
 * The model takes its orders from the last message of the user, `{ "run": name, "steps": n }`: it calls the tool once for
 * each step and then answers "<name> is done". Asked to "speak n words", or to "speak n words to <name>", it says "word0 word1 …" piece by piece. Both servers take `stepMs` for a request.
 */
export async function startStepServers(stepMs: number): Promise<StepServers> {
  const modelHits: Hit[] = [];
  const toolHits: Hit[] = [];
  const spokenAt = new Map<string, number>();
  const refused = new Set<string>();
  const vendor = await startLoopbackServer((_request, response) => {
    const { model, messages } = requestBody.parse(JSON.parse(vendor.seen.at(-1)?.body ?? "{}"));
    const question = messages.findLastIndex((message) => message.role === "user");
    const asked = JSON.stringify(messages[question]?.content);
    const [, words, listener] = /speak (\d+) words(?: to ([\w-]+))?/.exec(asked) ?? [];
    if (words !== undefined) {
      if (listener !== undefined) spokenAt.set(listener, performance.now());
      return void speak(response, model, Number(words), stepMs);
    }
    const { run, steps, tool } = readOrder(asked);
    const step = messages.slice(question).filter((message) => message.role === "tool").length;
    const hit: Hit = { run, step, at: Date.now(), key: undefined };
    modelHits.push(hit);
    if (refused.has(`${run}/${step}`)) {
      return void response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"No."}}');
    }
    void Promise.all([delay(stepMs), servers.onModelHit?.(hit)]).then(() => {
      if (step < steps) send(response, model, callOf(run, step, tool), "tool_calls");
      else send(response, model, { content: `${run} is done` }, "stop");
    });
  });
  const api = await startLoopbackServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://api.test");
    const key = request.headers["idempotency-key"];
    const hit: Hit = {
      run: searchParams.get("run") ?? "",
      step: Number(searchParams.get("step")),
      at: Date.now(),
      key: typeof key === "string" ? key : undefined,
    };
    toolHits.push(hit);
    void Promise.all([delay(stepMs), servers.onToolHit?.(hit)]).then(() =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}'),
    );
  });
  const servers: StepServers = {
    vendor,
    api,
    modelHits,
    toolHits,
    spokenAt,
    refused,
    onToolHit: undefined,
    onModelHit: undefined,
    async stop() {
      await vendor.stop();
      await api.stop();
    },
  };
  return servers;
}

function readOrder(text: string): { run: string; steps: number; tool: string } {
  const [, run = "", steps = "0", tool = "step"] = /run (\S+) with (\d+) steps(?: of ([\w-]+))?/.exec(text) ?? [];
  return { run, steps: Number(steps), tool };
}

/** What a person writes to have a run of so many steps, of the tool `step` or of another. */
export const orderOf = (run: string, steps: number, tool = "step"): string =>
  `run ${run} with ${steps} steps of ${tool}`;

function callOf(run: string, step: number, name: string): object {
  const call = { name, arguments: JSON.stringify({ run, step: String(step) }) };
  return { tool_calls: [{ index: 0, id: `call_${run}_${step}`, type: "function", function: call }] };
}

async function speak(response: ServerResponse, model: string, words: number, stepMs: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (choices: object[], extra: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "chatcmpl-speech", object: "chat.completion.chunk", created: 0, model, choices, ...extra })}\n\n`,
    );
  for (let word = 0; word < words && !response.destroyed; word += 1) {
    chunk([
      { index: 0, delta: { role: "assistant", content: `${word === 0 ? "" : " "}word${word}` }, finish_reason: null },
    ]);
    await delay(stepMs);
  }
  chunk([{ index: 0, delta: {}, finish_reason: "stop" }]);
  chunk([], { usage: { prompt_tokens: 100, completion_tokens: words, total_tokens: 100 + words } });
  response.end("data: [DONE]\n\n");
}

/** In the format of Chat Completions. */
function send(response: ServerResponse, model: string, delta: object, finish: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (choices: object[], extra: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "chatcmpl-step", object: "chat.completion.chunk", created: 0, model, choices, ...extra })}\n\n`,
    );
  chunk([{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }]);
  chunk([{ index: 0, delta: {}, finish_reason: finish }]);
  chunk([], { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } });
  response.end("data: [DONE]\n\n");
}
