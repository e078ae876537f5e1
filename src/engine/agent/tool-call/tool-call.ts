import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import type { SchemaCheck } from "../../json-schema/schema-verdict.ts";
import { picturesIn } from "../../model/attachments.ts";
import type { ToolCallPart } from "../../model/message.ts";
import type { CallAgain, LiveCall } from "../../run/replay/agent-replay.ts";
import type { WaitClock } from "../../time/wait-clock.ts";
import { noTaint, sourceNamed, type Taint } from "../../trust/taint.ts";
import { firstChars } from "../../well-formed.ts";
import type { ToolCallRecord } from "../execution.ts";
import type { Execute, Interceptor } from "../interceptor.ts";
import type {
  ApprovalPolicy,
  AskedForm,
  AskOptions,
  FormAnswer,
  Tool,
  ToolCallContext,
  ToolFailure,
  ToolResult,
} from "../tool.ts";

/** A callable tool with its provenance and the check of its arguments. */
export interface TableEntry {
  tool: Tool;
  nodeId: string;
  edgeId: string;
  /** Its results may hold untrusted content. */
  untrusted: boolean;
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
  /** Measures how long the call waits for people. */
  clock: WaitClock;
  /** Present where the call had begun before the run's process went away. */
  again: CallAgain | undefined;
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
export type MakeCall = Execute<ToolCall, ToolUse>;

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
export type RunCall = Execute<AskedCall, FinishedCall>;

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
    value = text.trim() === "" ? {} : JSON.parse(text);
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
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

/** Characters of a result that the model sees, where its tool says nothing else. */
export const defaultResultChars = 20_000;

/** Characters of a result that the log keeps; above that it keeps what the model saw. */
const maxLoggedChars = 200_000;

/** A tool's result as the model reads it and as the log keeps it. */
export interface ResultText {
  text: string;
  /** Characters before any cut. */
  size: number;
  truncated: boolean;
  output: Json;
}

const count = new Intl.NumberFormat("en-US");

function failureData(error: ToolFailure): JsonObject {
  const data: JsonObject = { message: error.message };
  if (error.hint) data["hint"] = error.hint;
  if (error.code) data["code"] = error.code;
  if (error.details !== undefined) data["details"] = error.details;
  return data;
}

function failureText(error: ToolFailure): string {
  const words = `Error: ${error.message}${error.hint ? ` ${error.hint}` : ""}`;
  return error.details === undefined ? words : `${words}\n${JSON.stringify(error.details)}`;
}

function outputText(output: Json): string {
  // A tool may give undefined where the type says Json.
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "null");
}

/** Pictures are kept whole, since they cannot be cut. */
function withoutPictures(output: Json): Json {
  return Array.isArray(output) ? output.filter((part) => picturesIn(part).length === 0) : output;
}

/** The output of a result as the log keeps it: in full, or cut as text when it is long. */
export function loggedOutput(result: ToolResult): Json {
  return resultText(result, maxLoggedChars).output;
}

/** Text for the model, cut with a mark at `maxChars`, and data for the log. */
export function resultText(result: ToolResult, maxChars = defaultResultChars): ResultText {
  const whole = result.ok ? (result.text ?? outputText(result.output)) : failureText(result.error);
  const size = whole.length;
  const logged = result.ok && result.text !== undefined ? outputText(withoutPictures(result.output)).length : size;
  const truncated = size > maxChars;
  const text = truncated
    ? `${firstChars(whole, maxChars)}\n[cut: the first ${count.format(maxChars)} of ${count.format(size)} characters]`
    : whole;
  const full = result.ok ? (result.output ?? null) : failureData(result.error);
  return { text, size, truncated, output: logged > maxLoggedChars ? text : full };
}
