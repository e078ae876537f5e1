import type { ServerResponse } from "node:http";
import { embedWords } from "../../src/providers/demo/embeddings.ts";
import { chatChunks, chatCompletion } from "./openai-chat-wire.ts";
import { readTools, readTurns, refuseReply, sayReply, type Answer, type Reply } from "./openai-reply.ts";
import { responseEvents, wholeResponse } from "./openai-responses-wire.ts";
import { scriptedReply } from "./openai-script.ts";
import { pause, sendJson, startLoopbackServer, type LoopbackServer, type RecordedRequest } from "./loopback-server.ts";

export interface OpenaiServer extends LoopbackServer {
  /** What a credential's base URL is: the origin and `/v1`. */
  baseUrl: string;
  /** The key that it accepts. */
  key: string;
  /** Says this to the next request, whatever it asks; several are kept in order. */
  enqueue(...replies: Reply[]): void;
}

interface OpenaiServerOptions {
  port?: number;
  /** The only key that passes; `test-key-loopback` when absent. Null: none is asked for, as by Ollama. */
  key?: string | null;
  /** The names that it lists. */
  models?: readonly string[];
}

/**
 * A loopback server that speaks OpenAI's published wire format: `/v1/models`, `/v1/chat/completions` and
 * `/v1/responses`, streamed and whole. What it answers is decided by `scriptedReply`, or by replies put in line with
 * `enqueue` or `POST /control { "say": text } | { "status": number }`.
 */
export async function startOpenaiServer(options: OpenaiServerOptions = {}): Promise<OpenaiServer> {
  const isOpen = options.key === null;
  const key = options.key ?? "test-key-loopback";
  const models = listingOf(options.models ?? usualModels);
  const queue: Reply[] = [];
  const attempts = new Map<string, number>();
  let answered = 0;

  const server = await startLoopbackServer(async (request, response) => {
    const path = request.path.split("?")[0];
    if (path === "/control") {
      queue.push(controlled(request.body));
      return sendJson(response, 200, { queued: queue.length });
    }
    if (!isOpen && request.headers.authorization !== `Bearer ${key}` && request.headers["api-key"] !== key) {
      return sendReply(refuseReply(401), request, response);
    }
    if (path === "/v1/models") return sendJson(response, 200, { object: "list", data: models });
    if (isOpen && path === "/api/show") return sendJson(response, 200, shownModel(fields(request.body).model));
    if (path === "/v1/embeddings") return sendJson(response, 200, embedded(fields(request.body)));
    if (request.method !== "POST") return sendJson(response, 404, notFound);
    if (path === "/v1/chat/completions" || path === "/v1/responses" || path?.endsWith("/chat/completions")) {
      return sendReply(queue.shift() ?? decide(request), request, response);
    }
    return sendJson(response, 404, notFound);
  }, options.port);

  function decide(request: RecordedRequest): Reply {
    const body = fields(request.body);
    const attempt = (attempts.get(request.text) ?? 0) + 1;
    attempts.set(request.text, attempt);
    const turns = readTurns(body.messages ?? body.input);
    const tools = body.tool_choice === "none" ? [] : readTools(body.tools);
    return scriptedReply({ turns, tools, attempt, authorization: request.headers.authorization ?? "" });
  }

  async function sendReply(reply: Reply, request: RecordedRequest, response: ServerResponse): Promise<void> {
    if (reply.kind === "refuse") {
      return sendJson(response, reply.status, { error: { ...reply.error, param: null } }, reply.headers);
    }
    answered += 1;
    const id = String(answered);
    const body = fields(request.body);
    const model = typeof body.model === "string" ? body.model : "loopback";
    const responses = request.path.startsWith("/v1/responses");
    const { answer } = reply;
    if (body.stream !== true) {
      const whole = responses
        ? wholeResponse(id, model, request.text, answer)
        : chatCompletion(id, model, request.text, answer);
      await pause(response, reply.delayMs * 10);
      return sendJson(response, 200, whole, { "x-request-id": `req_${id}` });
    }
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-request-id": `req_${id}`,
    });
    await sendStream(
      responses ? namedEvents(id, model, request.text, answer) : chunks(id, model, request.text, answer, body),
      reply,
      response,
    );
  }

  return {
    ...server,
    baseUrl: `${server.url}/v1`,
    key,
    enqueue: (...replies) => queue.push(...replies),
  };
}

function chunks(id: string, model: string, prompt: string, answer: Answer, body: Record<string, unknown>): string[] {
  const wanted = fields(body.stream_options).include_usage === true;
  return [
    ...chatChunks(id, model, prompt, answer, wanted).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`),
    "data: [DONE]\n\n",
  ];
}

function namedEvents(id: string, model: string, prompt: string, answer: Answer): string[] {
  return responseEvents(id, model, prompt, answer).map(
    (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  );
}

async function sendStream(
  pieces: string[],
  reply: Extract<Reply, { kind: "answer" }>,
  response: ServerResponse,
): Promise<void> {
  // A stream that goes wrong does so before anything says how it ended.
  const sent = reply.ending === "complete" ? pieces : pieces.slice(0, Math.max(2, pieces.length - 4));
  for (const piece of sent) {
    if (response.destroyed) return;
    response.write(piece);
    await pause(response, reply.delayMs);
  }
  switch (reply.ending) {
    case "complete":
      break;
    case "cut":
      await pause(response, 20);
      response.destroy();
      return;
    case "malformed":
      response.write('data: {"id": "x", "choices": [{"delta"\n\n');
      break;
    case "error":
      response.write(
        `data: ${JSON.stringify({ error: { message: "The server had an error.", type: "server_error", code: null } })}\n\n`,
      );
      break;
    default:
      reply.ending satisfies never;
  }
  response.end();
}

function controlled(body: unknown): Reply {
  const { say, status, retryAfter } = fields(body);
  if (typeof status === "number") {
    return refuseReply(status, {}, typeof retryAfter === "string" ? { "retry-after": retryAfter } : {});
  }
  return sayReply(typeof say === "string" ? say : "");
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** What Ollama says of a model. */
const shownModel = (model: unknown) => ({
  details: { format: "gguf", family: "bert" },
  capabilities: String(model).includes("embed") ? ["embedding"] : ["completion", "tools"],
});

/** Vectors that compare words. */
function embedded({ model, input }: Record<string, unknown>) {
  const texts = (Array.isArray(input) ? input : [input]).map(String);
  const data = embedWords(texts).map((embedding, index) => ({ object: "embedding", index, embedding }));
  const tokens = texts.length * 8;
  return { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

const usualModels = ["gpt-4o", "gpt-4o-mini", "text-embedding-3-small"];

const listingOf = (names: readonly string[]) =>
  names.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "loopback" }));

const notFound = { error: { message: "Invalid URL.", type: "invalid_request_error", param: null, code: null } };
