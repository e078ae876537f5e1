import { canonicalJson } from "../../canonical-json.ts";
import type { Json } from "../../json.ts";
import type { ToolCallPart, ToolMessage } from "../../model/message.ts";
import type { AgentRun } from "../agent-run.ts";
import { picturesIn } from "../attachments.ts";
import type { ToolCallRecord } from "../turn/progress.ts";

/** A finished call: what the model reads, and what the output shows. */
export interface FinishedCall {
  message: ToolMessage;
  record: ToolCallRecord;
  /** The model reads only the beginning of the result. */
  truncated: boolean;
  /** The model makes this call in a loop. */
  loop: boolean;
}

/** What is known of a call once it has ended. */
interface CallEnd extends Omit<ToolCallRecord, "toolName">, Pick<FinishedCall, "truncated" | "loop"> {
  /** The result as the model reads it. */
  text: string;
  /** Whether it may hold untrusted content. */
  untrusted: boolean;
}

/** A finished call from its end. A model that can see them is shown the result's pictures. */
export function finishedCall({ model }: AgentRun, { callId, toolName }: ToolCallPart, end: CallEnd): FinishedCall {
  const { arguments: input, result, ok, rejected, startedAt, durationMs, truncated, loop, text, untrusted } = end;
  const images = model.value.capabilities.vision ? picturesIn(result) : [];
  const mark = rejected ? { rejected } : {};
  return {
    message: {
      role: "tool",
      callId,
      toolName,
      ok,
      text,
      ...(images.length > 0 ? { images } : {}),
      ...mark,
      ...(untrusted ? { untrusted } : {}),
    },
    record: { toolName, arguments: input, result, ok, ...mark, startedAt, durationMs },
    truncated,
    loop,
  };
}

/** What to do about a call that has had the same result before. */
type Repetition = { kind: "fresh" } | { kind: "told"; note: string } | { kind: "loop" };

/** Is told of every finished call: by its tool, arguments and the text of its result. */
export type RepetitionWatch = (toolName: string, input: Json, text: string) => Repetition;

/**
 * Counts calls with the same tool, arguments (in any key order) and result. At `limit` the model is told; at twice the
 * limit it is a loop.
 */
export function createRepetitionWatch(limit: number): RepetitionWatch {
  const counts = new Map<string, number>();
  return (toolName, input, text) => {
    const key = `${toolName}\n${canonicalJson(input)}\n${text}`;
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    if (times >= limit * 2) return { kind: "loop" };
    if (times < limit) return { kind: "fresh" };
    const said = times === 1 ? "once" : `${times} times`;
    const note = `[You have made this same call ${said} with the same result. Do not repeat it: change the arguments, use another tool, or answer with what you have.]`;
    return { kind: "told", note };
  };
}
