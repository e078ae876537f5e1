import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../json.ts";
import type { Usage } from "../model/chat-model.ts";
import type { Repeats, RunErrorCode } from "../errors.ts";
import type { SpendingLimit } from "../spending/spending-limit.ts";
import type { AfterCrash } from "../document/after-crash.ts";
import type { OwnResults } from "../trust/provenance/finished-call.ts";
import type { ConfirmedValue } from "../trust/provenance/confirmed-values.ts";
import type { Provenance } from "../trust/provenance/provenance.ts";
import type { Taint } from "../trust/taint.ts";
import type { ToolApp } from "./tool-app.ts";

/** Why a tool call failed, for the model and the log. */
export interface ToolFailure {
  message: string;
  hint?: string;
  code?: RunErrorCode;
  /** Whether another attempt may help and does no harm. */
  retryable?: boolean;
  /** How long the server asked to wait, in milliseconds. */
  retryAfterMs?: number;
  /** Further details of the failure, such as a status and a body. */
  details?: Json;
}

/**
 * `text` is what the model reads if that is not the output itself, such as the description of a picture. `untrusted`
 * tells where untrusted content in it came from, empty if there is none; if absent, `Tool.untrusted` applies.
 */
export type ToolResult = ({ ok: true; output: Json; text?: string } | { ok: false; error: ToolFailure }) & {
  untrusted?: Taint;
};

/**
 * When a person must approve a call: never, always, for the first call of a run, or once the conversation holds
 * untrusted content.
 */
export const approvalPolicies = ["never", "ask", "once", "ask-after-untrusted"] as const;

/** One of `approvalPolicies`. */
export type ApprovalPolicy = (typeof approvalPolicies)[number];

/** What a tool asks a person during its call: a question, and the answer's form as JSON Schema of an object. */
export interface AskedForm {
  message: string;
  schema: JsonSchema;
  /** It asks whether values may be used in this run: the answer goes to no server, and it waits as long as an approval. */
  confirms?: true;
}

/** For how long a form may be answered: a call holds a connection open meanwhile, and a quiet one is closed after five minutes. */
export const formTimeMs = 270_000;

/** What a form begins with: the values that its schema names itself. */
export function formDefaults(schema: JsonSchema): JsonObject {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const initial = isJsonObject(property) ? property["default"] : undefined;
      return initial === undefined ? [] : [[name, initial]];
    }),
  );
}

/**
 * A person's answer to a form: values that match its schema, a refusal, or none (the call ended, or nobody answered in
 * time).
 */
export type FormAnswer = { action: "accept"; content: JsonObject } | { action: "decline" } | { action: "cancel" };

/** `key` identifies the question by its content, in at most 40 characters; `signal` withdraws it. */
export interface AskOptions {
  key: string;
  signal: AbortSignal;
}

/** A call's progress: `progress` of `total`, in the tool's own unit, with its message. */
export interface ToolProgress {
  progress: number;
  total?: number | undefined;
  text?: string | undefined;
}

/** "3 of 10 · Reading page 3", or what of that is known. */
export function progressWords({ progress, total, text = "" }: ToolProgress): string {
  const share = total === undefined ? `${rounded(progress)}` : `${rounded(progress)} of ${rounded(total)}`;
  return text === "" ? share : `${share} · ${text}`;
}

function rounded(amount: number): number {
  return Math.round(amount * 100) / 100;
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
  /** What the caller knows of where values came from; an agent inside the tool begins with it. */
  provenance?: Provenance;
  /** Pauses the caller's time limits while `wait` asks a person. */
  pausedWhile<Value>(wait: () => Promise<Value>): Promise<Value>;
  /** Counts model calls and embeddings made inside the tool towards the calling agent's budgets. Tokens, and US dollars or null. */
  addUsage(usage: Usage, costUsd: number | null): void;
  /** The budgets of the calling agents, the innermost first: calls of models and embeddings inside the tool are booked with them. */
  spending: readonly SpendingLimit[];
  log(message: string, data?: Json): void;
  /**
   * Asks a person to fill in a form, with the caller's time limits paused meanwhile. If nobody can be asked, the form
   * is declined. Never rejects.
   */
  ask(form: AskedForm, options: AskOptions): Promise<FormAnswer>;
  /** Reports progress; reports that come too often are dropped. */
  tellProgress(progress: ToolProgress): void;
  /** Takes the result as its server gave it, and what reads the tool's interface, if it has one. Absent where nothing is shown. */
  showApp?(output: JsonObject, read: () => Promise<ToolApp | undefined>): Promise<void>;
}

/** A callable tool. `execute` gets arguments that match `parameters`; an exception becomes a failed result. */
export interface Tool {
  /** `[A-Za-z0-9_-]{1,64}`, unique per agent. */
  name: string;
  description: string;
  parameters: JsonSchema;
  execute(input: JsonObject, context: ToolCallContext): Promise<ToolResult>;
  /**
   * Previews the call without making it. Called before a person is asked, and again with edited arguments. A failure
   * means that the call itself would fail.
   */
  preview?(input: JsonObject, context: { signal: AbortSignal }): Promise<ToolResult>;
  /** Milliseconds; 30,000 when absent, `Infinity` for a tool that limits its time itself. */
  timeoutMs?: number;
  /** Characters of the result that the model sees; 20,000 when absent. */
  maxResultChars?: number;
  approval?: ApprovalPolicy;
  /** How often a call that failed with a `retryable` error is retried; never if absent. */
  repeats?: Repeats;
  /** Its results may hold untrusted content, unless a result says otherwise. */
  untrusted?: boolean;
  /** It only reads: after untrusted content it asks at an address that nobody gave, and at nothing else. */
  readOnly?: boolean;
  /** What its owner can set so that its calls ask less, as a sentence; absent where there is nothing. */
  remedy?: string;
  /** Names of arguments that say something and lead nowhere, such as a message's body; every argument decides where absent. */
  content?: readonly string[];
  /** How far the owner trusts its results; not at all where absent. */
  own?: OwnResults;
  /** What it does is kept in this process alone, so a call that a replay serves is made once more for that. */
  keepsState?: true;
  /** The values in its result that a person has confirmed; absent where it asks for none. */
  confirmed?(output: Json): ConfirmedValue[];
  /**
   * What becomes of a call with these arguments that a crash interrupted; undefined, or absent, where it changes nothing outside
   * and is simply made again.
   */
  afterCrash?(input: JsonObject): AfterCrash | undefined;
}

/**
 * Something that an agent reads before it asks its model, by calling `tool`, which need not be offered to the model.
 * `title` names it for the model and in warnings.
 */
export interface ContextRead {
  title: string;
  tool: Tool;
  input: JsonObject;
}

/** Where large results of an agent's other tools are kept whole. */
export interface LargeResults {
  /** Characters that the model may read of a result; a longer one is kept. */
  above: number;
  /** Keeps a result and gives what the model reads in its place. Throws where it cannot be kept. */
  keep(
    result: { toolName: string; output: Json },
    call: Pick<ToolCallContext, "callId" | "signal" | "untrusted">,
  ): Promise<string>;
}

/** What a tool edge carries: one tool, or several from one server, and what the agent should read first. */
export interface ToolSet {
  tools: Tool[];
  context?: readonly ContextRead[];
  /** Stands for the server and the credential that the tools were made with; absent where there is none. */
  server?: string;
  /** Keeps large results of the agent's other tools; those of its own are as they are. */
  keepLarge?: LargeResults;
  /** What the interfaces of these tools may call, by the name that the server has for it; models see nothing of it. */
  appTools?: ReadonlyMap<string, Tool>;
}
