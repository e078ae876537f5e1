import type { Json, JsonObject } from "../../json.ts";
import type { WaitClock } from "../../time/wait-clock.ts";
import type { CallAgain, LiveCall } from "../agent-replay.ts";
import type { Execute, Interceptor } from "../interceptor.ts";
import type { ToolCallContext, ToolResult } from "../tool.ts";
import type { FormAsker } from "./ask-form.ts";
import type { PlannedCall } from "./plan-calls.ts";
import type { TableEntry } from "./tool-table.ts";

/** A call that the model asked for. */
export interface AskedCall extends PlannedCall {
  /** Undefined where there is no such tool. */
  entry: TableEntry | undefined;
  /** What a replay says of a call that it does not serve. */
  live?: LiveCall;
}

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

/** The result of a call that was not made, for the model to read. */
export function refusedCall(message: string): ToolResult {
  return { ok: false, error: { message, code: "invalid_arguments" } };
}
