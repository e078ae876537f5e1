import { createParser } from "eventsource-parser";
import type { z } from "zod/mini";
import { sendBytes } from "../ui/files/send-bytes.ts";
import {
  type ChatEvent,
  type ChatFile,
  chatEvent,
  type ChatPageInfo,
  chatPageInfo,
  chatChallenge,
  chatProblem,
  chatSession,
  chatThread,
  type ChatThread,
  chatThreads,
  type ChatTurn,
  type ChatWork,
  type NewMessage,
  type OpenSession,
  fileNameHeader,
  type SentFile,
  sentFile,
  type Rating,
} from "../doors/chat-api.ts";

/** A refusal of the server, or no answer from it (`unreachable`). */
export class ChatProblem extends Error {
  readonly code: string;
  /** Seconds after which it may go well. */
  readonly retryAfter: number | undefined;

  constructor(code: string, message: string, retryAfter?: number) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** The server of one chat page. Every call rejects with a `ChatProblem`, or as its signal was aborted. */
export interface ChatClient {
  page(): Promise<ChatPageInfo>;
  /** Opens a session and gives its token. */
  openSession(proof: OpenSession): Promise<string>;
  /** Solves a task of the server's, where the page asks for work before a session is opened. Takes about a second. */
  work(): Promise<ChatWork>;
  /** The token of a new session of the visitor whose browser it is; null where there is none. */
  resume(browser: string): Promise<string | null>;
  /** Ends the session. */
  leave(): Promise<void>;
  threads(): Promise<ChatThread[]>;
  thread(id: string): Promise<ChatTurn[]>;
  deleteThread(id: string): Promise<void>;
  /** Stores a file for a message of this visitor. */
  upload(file: File, options: { signal: AbortSignal; onProgress: (part: number) => void }): Promise<SentFile>;
  send(message: NewMessage, signal: AbortSignal): AsyncIterable<ChatEvent>;
  /** The events of an answer from its beginning. */
  follow(runId: string, signal: AbortSignal): AsyncIterable<ChatEvent>;
  stop(runId: string): Promise<void>;
  rate(runId: string, rating: Rating | null, comment: string): Promise<void>;
}

interface Call {
  method?: string;
  body?: unknown;
  signal?: AbortSignal;
}

/** `base` is `…/c-api/<slug>`; `token` gives the visitor's session, if there is one. */
export function createChatClient(base: string, token: () => string | null): ChatClient {
  async function call(path: string, { method = "GET", body, signal }: Call = {}): Promise<Response> {
    const headers = new Headers();
    const session = token();
    if (session !== null) headers.set("authorization", `Bearer ${session}`);
    if (body !== undefined) headers.set("content-type", "application/json");
    let response: Response;
    try {
      response = await fetch(`${base}/${path}`, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        // No cookie of the studio goes along, and none is taken.
        credentials: "omit",
        cache: "no-store",
        signal: signal ?? null,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ChatProblem("unreachable", "The chat cannot be reached. Check the connection and try again.");
    }
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  async function read<Shape extends z.ZodMiniType>(
    shape: Shape,
    path: string,
    options?: Call,
  ): Promise<z.infer<Shape>> {
    const parsed = shape.safeParse(await (await call(path, options)).json().catch(() => null));
    if (!parsed.success) throw new ChatProblem("internal", "The server gave an answer that this page cannot read.");
    return parsed.data;
  }

  async function resume(browser: string): Promise<string | null> {
    const response = await call("resume", { method: "POST", body: { browser } });
    if (response.status === 204) return null;
    const parsed = chatSession.safeParse(await response.json().catch(() => null));
    return parsed.success ? parsed.data.token : null;
  }

  async function* events(path: string, options: Call): AsyncGenerator<ChatEvent> {
    for await (const event of readEvents(await call(path, options)))
      yield event.type === "end" ? withAddresses(base, event) : event;
  }

  async function upload(file: File, options: { signal: AbortSignal; onProgress: (part: number) => void }) {
    const session = token();
    const headers = {
      "content-type": file.type || "application/octet-stream",
      [fileNameHeader]: encodeURIComponent(file.name || "file"),
      ...(session === null ? {} : { authorization: `Bearer ${session}` }),
    };
    const answer = await sendBytes(`${base}/files`, file, { ...options, headers }).catch((error: unknown) => {
      options.signal.throwIfAborted();
      throw error instanceof Error ? new ChatProblem("unreachable", error.message) : error;
    });
    const kept = sentFile.safeParse(answer.body);
    if (answer.status === 201 && kept.success) return kept.data;
    throw problemIn(answer.body, undefined);
  }

  return {
    upload,
    page: () => read(chatPageInfo, "page"),
    openSession: async (proof) => (await read(chatSession, "session", { method: "POST", body: proof })).token,
    work: async () => {
      const challenge = await read(chatChallenge, "challenge");
      const work = await (await import("./solve-challenge.ts")).solve(challenge);
      if (work === null) throw new ChatProblem("work_required", "This device is too slow for this chat. Try again.");
      return work;
    },
    resume,
    leave: async () => void (await call("leave", { method: "POST" })),
    threads: async () => (await read(chatThreads, "threads")).threads,
    thread: async (id) => (await read(chatThread, `threads/${id}`)).turns.map((turn) => withAddresses(base, turn)),
    deleteThread: async (id) => void (await call(`threads/${id}`, { method: "DELETE" })),
    send: (message, signal) => events("messages", { method: "POST", body: message, signal }),
    follow: (runId, signal) => events(`runs/${runId}/events`, { signal }),
    stop: async (runId) => void (await call(`runs/${runId}/stop`, { method: "POST" })),
    rate: async (runId, rating, comment) =>
      void (await call(`runs/${runId}/feedback`, { method: "POST", body: { rating, comment } })),
  };
}

/** A turn or its end with links that lead to the doors, wherever the page is. */
function withAddresses<Turn extends { files?: ChatFile[] | undefined; sent?: ChatFile[] }>(
  base: string,
  turn: Turn,
): Turn {
  const doors = base.replace(/\/c-api\/[^/]*$/, "");
  const whole = (files: ChatFile[]) => files.map((file) => ({ ...file, url: `${doors}${file.url}` }));
  return {
    ...turn,
    ...(turn.files ? { files: whole(turn.files) } : {}),
    ...(turn.sent ? { sent: whole(turn.sent) } : {}),
  };
}

async function problemOf(response: Response): Promise<ChatProblem> {
  const after = Number(response.headers.get("retry-after") ?? NaN);
  return problemIn(await response.json().catch(() => null), Number.isFinite(after) ? after : undefined);
}

function problemIn(body: unknown, retryAfter: number | undefined): ChatProblem {
  const parsed = chatProblem.safeParse(body);
  if (!parsed.success)
    return new ChatProblem("internal", "The chat does not answer as it should. Try again.", retryAfter);
  const { code, title, detail } = parsed.data;
  return new ChatProblem(code, detail === "" ? title : detail, retryAfter);
}

/** The events of an answer as they arrive. An answer that was cut off rejects with `unreachable`. */
async function* readEvents(response: Response): AsyncGenerator<ChatEvent> {
  const complete: ChatEvent[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = chatEvent.safeParse(asJson(data));
      if (event.success) complete.push(event.data);
    },
  });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const piece = await reader?.read().catch(() => undefined);
      if (!piece || piece.done) break;
      parser.feed(decoder.decode(piece.value, { stream: true }));
      for (const event of complete.splice(0)) {
        yield event;
        if (event.type === "end") return;
      }
    }
  } finally {
    void reader?.cancel().catch(() => undefined);
  }
  throw new ChatProblem("unreachable", "The connection broke off before the answer was whole.");
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
