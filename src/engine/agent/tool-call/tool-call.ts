import type { SchemaCheck } from "../../json-schema/schema-verdict.ts";
import { isJsonObject, type Json, type JsonObject, readJson, jsonOrText } from "../../json.ts";
import type { ToolCallPart } from "../../model/message.ts";
import type { CallAgain, LiveCall, Repeating } from "../../run/replay/agent-replay.ts";
import type { WaitClock } from "../../time/wait-clock.ts";
import type {
  ApprovalPolicy,
  AskedForm,
  AskOptions,
  FormAnswer,
  Tool,
  ToolCallContext,
  ToolResult,
} from "../../tool/tool.ts";
import type { Verdict } from "../../trust/provenance/verdict.ts";
import { noTaint, sourceNamed, type Taint } from "../../trust/taint.ts";
import type { Handler, Interceptor, ToolCallRecord } from "../execution.ts";

/** A callable tool with its provenance and the check of its arguments. */
export interface TableEntry {
  tool: Tool;
  nodeId: string;
  edgeId: string;
  /** Its results may hold untrusted content. */
  untrusted: boolean;
  /** What a door's caller may fill in. */
  callerArguments: readonly string[];
  check: SchemaCheck;
  /** Overrides the tool's own approval policy. */
  approval?: ApprovalPolicy;
}

/** Where a tool's results came from, as far as its node says. */
export function taintOf({ tool, untrusted }: Pick<TableEntry, "tool" | "untrusted">): Taint {
  return untrusted ? [sourceNamed(`the tool ${tool.name}`)] : noTaint;
}

/** A call that the model asked for, and whether it is made: one of a tool that is not there is refused. */
export type AskedCall = {
  part: ToolCallPart;
  /** The arguments as text, in the types that the tool wants where the model wrote others. */
  text: string;
  /** What the model is told besides the result. */
  note: string | undefined;
  /** What a replay says of a call that it does not serve. */
  live?: LiveCall;
} & (
  | { entry: TableEntry; refusal: undefined }
  /** Why it is not run, in words for the model. */
  | { entry: TableEntry | undefined; refusal: string }
);

/** Asks a form until it is answered, the call ends or the tool withdraws it. Never rejects. */
export type FormAsker = (form: AskedForm, ofCall: AbortSignal, options: AskOptions) => Promise<FormAnswer>;

/** A call of a known tool with arguments that fit it. */
export interface ToolCall {
  entry: TableEntry;
  callId: string;
  /** The arguments, as the model wrote them or as a person edited them. */
  input: JsonObject;
  /** The arguments as the model wrote them. */
  written: JsonObject;
  /** How it was judged when it started; absent where nothing was in the conversation that anybody else wrote. */
  verdict: Verdict | undefined;
  /** Measures how long the call waits for people. */
  clock: WaitClock;
  /** Present where the call had begun before the run's process went away. */
  again: CallAgain | undefined;
  /** It began so many times to change something outside, and nobody knows whether it did. */
  begun: number;
  /** Who decides whether such a call is made again: its setting when undefined. */
  repeats: Repeating | undefined;
  askForm: FormAsker;
  tellProgress: ToolCallContext["tellProgress"];
}

/** What came of a call. */
export interface ToolUse {
  /** As the log shows it. */
  input: Json;
  result: ToolResult;
  /** A person refused, or nobody could be asked: the tool was not called. */
  rejected?: true;
}

/** Makes a call. Every failure becomes a failed result; it rejects only when the deadline aborts. */
export type MakeCall = Handler<ToolCall, ToolUse>;

/** Stands around the making of a call. */
export type ToolInterceptor = Interceptor<ToolCall, ToolUse>;

/** A call that has ended, whether it was made, refused or served. */
export interface FinishedCall {
  /** As the model gave it. */
  callId: string;
  record: ToolCallRecord;
  /** The result as the model reads it. */
  text: string;
  /** Whether it may hold untrusted content. */
  untrusted: boolean;
  /** The model reads only the beginning of the result. */
  truncated: boolean;
  /** The model makes this call in a loop. */
  loop: boolean;
}

/** Runs a call to its end, whatever goes wrong; rejects only when the deadline aborts. */
export type RunCall = Handler<AskedCall, FinishedCall>;

/** Stands around a whole call. */
export type CallInterceptor = Interceptor<AskedCall, FinishedCall>;

/** The result of a call that was not made, for the model to read. */
export function refusedCall(message: string): ToolResult {
  return { ok: false, error: { message, code: "invalid_arguments" } };
}

/** Arguments that fit, or why not, in words for the model. `input` is what the log shows. */
type ParsedArguments = { ok: true; input: JsonObject } | { ok: false; input: Json; reason: string };

/** Reads the arguments of a call: JSON text (nothing counts as `{}`), an object, fitting the schema. */
export async function parseArguments(text: string, check: SchemaCheck): Promise<ParsedArguments> {
  let value: Json;
  try {
    value = text.trim() === "" ? {} : readJson(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { ok: false, input: text, reason: `The arguments are not valid JSON (${cause}). Send one JSON object.` };
  }
  if (!isJsonObject(value)) {
    const kind = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
    return { ok: false, input: value, reason: `The arguments are ${kind}. Send one JSON object.` };
  }
  const checked = await check(value);
  return checked.ok ? { ok: true, input: value } : { ok: false, input: value, reason: checked.reason };
}

/** The arguments for the log: parsed if they are JSON, otherwise as text. */
export function shownInput(text: string): Json {
  if (text.trim() === "") return {};
  return jsonOrText(text);
}
