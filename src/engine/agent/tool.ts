import type { Json, JsonObject, JsonSchema } from "../json.ts";
import type { Taint } from "../trust/taint.ts";
import type { Usage } from "../model/chat-model.ts";
import type { Repeats, RunErrorCode } from "../run/errors.ts";

/** Why a tool call failed, in words for the model and the log. */
export interface ToolFailure {
  message: string;
  hint?: string;
  code?: RunErrorCode;
  /** Whether another attempt can help, and does no harm. */
  retryable?: boolean;
  /** Milliseconds that the other side asked to wait. */
  retryAfterMs?: number;
  /** What the tool wants to hand over besides words, such as a status and a body. */
  details?: Json;
}

/**
 * `text` is what the model reads where that is not the output itself, such as the description of a picture. `untrusted` is
 * where untrusted content in it came from, empty if there is none; absent: what `Tool.untrusted` says.
 */
export type ToolResult = ({ ok: true; output: Json; text?: string } | { ok: false; error: ToolFailure }) & {
  untrusted?: Taint;
};

/**
 * When a person has to agree before the call: never, every time, to the first call of a run, or once texts that strangers may
 * have written are in the conversation.
 */
export const approvalPolicies = ["never", "ask", "once", "ask-after-untrusted"] as const;

/** One of `approvalPolicies`. */
export type ApprovalPolicy = (typeof approvalPolicies)[number];

/** What a tool asks a person during its call: a question, and the answer's form as JSON Schema of an object. */
export interface AskedForm {
  message: string;
  schema: JsonSchema;
}

/** What a person said to a form: values that fit its schema, no, or nothing (the call ended, or nobody answered in time). */
export type FormAnswer = { action: "accept"; content: JsonObject } | { action: "decline" } | { action: "cancel" };

/** `key` names the question by what it asks, in at most 40 characters; `signal` withdraws it. */
export interface AskOptions {
  key: string;
  signal: AbortSignal;
}

/** How far a call is: `progress` of `total`, both in the tool's own unit, and what it says about it. */
export interface ToolProgress {
  progress: number;
  total?: number | undefined;
  text?: string | undefined;
}

/** What a tool gets besides its arguments. */
export interface ToolCallContext {
  /** Aborted by Stop, by the tool's own time limit and by the agent's. */
  signal: AbortSignal;
  callId: string;
  /** How many agents deep the call is: 1 when an agent of the main flow calls. */
  depth: number;
  /** Where the untrusted content came from that the caller has read: it may have influenced the arguments. */
  untrusted: Taint;
  /** Stops the caller's time limits while `wait` asks a person. */
  pausedWhile<Value>(wait: () => Promise<Value>): Promise<Value>;
  /** Counts model calls and embeddings made inside the tool towards the calling agent's budgets. Tokens, and US dollars or null. */
  addUsage(usage: Usage, costUsd: number | null): void;
  log(message: string, data?: Json): void;
  /**
   * Asks a person to fill in a form, with the caller's time limits stopped meanwhile. Where nobody can be asked the form is
   * declined. Never rejects.
   */
  ask(form: AskedForm, options: AskOptions): Promise<FormAnswer>;
  /** Tells how far the call is; what comes too often is left out. */
  tellProgress(progress: ToolProgress): void;
}

/** A callable tool. `execute` gets arguments that already passed `parameters`; a throw becomes a failed result. */
export interface Tool {
  /** `[A-Za-z0-9_-]{1,64}`, unique per agent. */
  name: string;
  description: string;
  parameters: JsonSchema;
  execute(input: JsonObject, context: ToolCallContext): Promise<ToolResult>;
  /**
   * What the call would do, without doing it. Asked before a person is, so that they see it, and again with the arguments
   * that they edited. A failure means that the call itself would fail.
   */
  preview?(input: JsonObject, context: { signal: AbortSignal }): Promise<ToolResult>;
  /** Milliseconds; 30,000 when absent. */
  timeoutMs?: number;
  /** Characters of the result that the model sees; 20,000 when absent. */
  maxResultChars?: number;
  approval?: ApprovalPolicy;
  /** How often a call whose failure is `retryable` is made again; never when absent. */
  repeats?: Repeats;
  /** Its results may hold untrusted content, unless a result says otherwise. */
  untrusted?: boolean;
}

/**
 * Something that an agent reads before it asks its model, by a call of `tool`, which the model need not be offered. `title`
 * says what it is, to the model and in warnings.
 */
export interface ContextRead {
  title: string;
  tool: Tool;
  input: JsonObject;
}

/** What one tool edge carries: one tool, or several from one server, and what the agent is to read first. */
export interface ToolSet {
  tools: Tool[];
  context?: readonly ContextRead[];
}
