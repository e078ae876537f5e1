import { z } from "zod/mini";

/** What the server will say to one request. */
export type Reply =
  | { kind: "answer"; answer: Answer; delayMs: number; ending: "complete" | "cut" | "malformed" | "error" }
  | { kind: "refuse"; status: number; headers: Record<string, string>; error: VendorError };

type AnswerReply = Extract<Reply, { kind: "answer" }>;

export interface Answer {
  text: string;
  calls: { name: string; arguments: string }[];
  reasoning: string;
  /** Web pages, as Perplexity names them. */
  pages: { title: string; url: string }[];
  refusal: string;
  finish: "stop" | "length" | "content_filter";
}

interface VendorError {
  message: string;
  type: string;
  code: string | null;
}

const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.optional(z.string()) })),
  z.null(),
]);

/** One message of a conversation, read from either API's format. */
export interface Turn {
  role: string;
  text: string;
}

/** A tool as offered in the request. */
export interface OfferedTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

const turnShape = z.looseObject({
  role: z.optional(z.string()),
  type: z.optional(z.string()),
  content: z.optional(content),
  output: z.optional(z.string()),
});

/** Reads `messages` (Chat Completions) or `input` (Responses) of a request body. */
export function readTurns(list: unknown): Turn[] {
  const parsed = z.array(turnShape).safeParse(list);
  if (!parsed.success) return typeof list === "string" ? [{ role: "user", text: list }] : [];
  return parsed.data.flatMap((turn) => {
    if (turn.type === "function_call_output") return [{ role: "tool", text: turn.output ?? "" }];
    if (turn.role === undefined) return [];
    const text =
      typeof turn.content === "string" ? turn.content : (turn.content ?? []).map((part) => part.text ?? "").join("");
    return [{ role: turn.role, text }];
  });
}

const toolShape = z.looseObject({
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  parameters: z.optional(z.record(z.string(), z.unknown())),
  function: z.optional(
    z.looseObject({
      name: z.string(),
      description: z.optional(z.string()),
      parameters: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
});

/** Reads the offered tools of either API's request body. */
export function readTools(list: unknown): OfferedTool[] {
  const parsed = z.array(toolShape).safeParse(list);
  if (!parsed.success) return [];
  return parsed.data.flatMap((tool) => {
    const source = tool.function ?? tool;
    if (source.name === undefined) return [];
    return [{ name: source.name, description: source.description ?? "", parameters: source.parameters ?? {} }];
  });
}

const blank: Answer = { text: "", calls: [], reasoning: "", pages: [], refusal: "", finish: "stop" };

/** A complete plain answer. */
export function sayReply(text: string, more: Partial<Answer> = {}): AnswerReply {
  return { kind: "answer", answer: { ...blank, text, ...more }, delayMs: 0, ending: "complete" };
}

/** A refusal in the vendor's format. */
export function refuseReply(
  status: number,
  error: Partial<VendorError> = {},
  headers: Record<string, string> = {},
): Reply {
  const known = refusals[status] ?? { message: "Something went wrong.", type: "server_error", code: null };
  return { kind: "refuse", status, headers, error: { ...known, ...error } };
}

const refusals: Record<number, VendorError> = {
  400: { message: "The request is not valid.", type: "invalid_request_error", code: null },
  401: { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" },
  404: { message: "The model does not exist.", type: "invalid_request_error", code: "model_not_found" },
  429: { message: "Rate limit reached for requests.", type: "requests", code: "rate_limit_exceeded" },
  500: { message: "The server had an error while processing your request.", type: "server_error", code: null },
  503: { message: "The engine is currently overloaded.", type: "server_error", code: null },
};
