import type { Json } from "../../json.ts";
import type { ToolCallPart, ToolMessage } from "../../model/message.ts";
import type { AgentRun } from "../agent-run.ts";
import type { Deadline } from "../../time/deadline.ts";
import { type AnswerWithCalls, type PlannedCall, planCalls } from "./plan-calls.ts";
import type { Progress } from "../turn/progress.ts";
import { createRepetitionWatch } from "./repeated-calls.ts";
import { resultText } from "./result-text.ts";
import { type FinishedCall, serveTool, shownPictures } from "./serve-tool.ts";
import { noTaint, untrustedField } from "../../trust/taint.ts";
import { type ToolTable, unknownToolReason } from "./tool-table.ts";
import { createToolRunner, refusedCall, recordProvidedResult, type ToolUse } from "./use-tool.ts";
import { createWaitClock } from "../../time/wait-clock.ts";

const defaultResultChars = 20_000;

/** The results of one turn in call order, and the tool that the model calls in a loop, if any. */
interface ToolTurn {
  messages: ToolMessage[];
  /** The ids of calls whose results were cut for the model. */
  cut: ReadonlySet<string>;
  looped: string | undefined;
}

/** Runs all calls of one turn, which `answer` asked for. Rejects only when the deadline aborts. */
export type ToolCaller = (calls: readonly ToolCallPart[], answer: AnswerWithCalls) => Promise<ToolTurn>;

/** Creates the tool caller of one agent execution, which remembers approvals and repeated calls across turns. */
export function createToolCaller(run: AgentRun, deadline: Deadline, progress: Progress, table: ToolTable): ToolCaller {
  const { host, nodeId, settings } = run;
  const { callIds } = run.scope;
  const useTool = createToolRunner(run, deadline, progress);
  const repetition = createRepetitionWatch(settings.repeatedCallLimit);

  async function callOne({ part, note, refusal }: PlannedCall): Promise<FinishedCall> {
    const { toolName } = part;
    const offered = table.entries.get(toolName);
    const replayed = run.replay?.tool({
      callId: part.callId,
      toolName,
      input: shownInput(part.arguments),
      toolNodeId: refusal === undefined ? offered?.nodeId : undefined,
    });
    const mustAsk = replayed?.kind === "live" && replayed.ask;
    const entry = offered && mustAsk ? { ...offered, approval: "ask" as const } : offered;
    if (replayed?.kind === "served") {
      const served = await serveTool(run, progress, { part, entry, call: replayed.call });
      repetition(toolName, served.record.arguments, served.message.text);
      return served;
    }
    const text = replayed?.input === undefined ? part.arguments : JSON.stringify(replayed.input);
    const again = replayed?.again;
    const callId = again?.callId ?? (callIds.has(part.callId) ? host.newId() : part.callId);
    callIds.add(callId);
    const call = { nodeId, toolNodeId: entry?.nodeId ?? nodeId, edgeId: entry?.edgeId ?? "", callId, toolName };
    const startedAt = host.now();
    run.emit({ type: "tool-call-start", ...call, input: shownInput(text) });
    const clock = createWaitClock(() => host.now());
    const { input, result, rejected }: ToolUse = replayed?.result
      ? { input: shownInput(text), result: recordProvidedResult(progress, entry, replayed.result) }
      : entry && refusal === undefined
        ? await useTool(entry, { callId, text, clock }, again)
        : { input: shownInput(text), result: refusedCall(refusal ?? unknownToolReason(table, toolName)) };
    const shown = resultText(result, entry?.tool.maxResultChars ?? defaultResultChars);
    // The time that a person takes to decide is not the tool's.
    const durationMs = Math.max(0, host.now() - startedAt - clock.waitedMs());
    const mark = rejected ? { rejected } : {};
    const repeated = repetition(toolName, input, shown.text);
    const notes = [note, repeated.kind === "told" ? repeated.note : undefined].filter((each) => each !== undefined);
    const read = [shown.text, ...notes].join("\n");
    const { size, truncated, output } = shown;
    const taint = untrustedField(result.untrusted ?? noTaint);
    run.emit({
      type: "tool-call-end",
      ...call,
      ok: result.ok,
      output,
      text: read,
      size,
      truncated,
      durationMs,
      ...mark,
      ...taint,
    });
    const outside = taint.untrusted ? { untrusted: true } : {};
    const said = { toolName, ok: result.ok, text: read, ...shownPictures(run, output), ...mark, ...outside };
    const message: ToolMessage = { role: "tool", callId: part.callId, ...said };
    const record = { toolName, arguments: input, result: output, ok: result.ok, ...mark, startedAt, durationMs };
    return { message, record, truncated, loop: repeated.kind === "loop" };
  }

  return async (parts, answer) => {
    const calls = planCalls(parts, answer, settings.toolChoice);
    const finished: FinishedCall[] = [];
    let next = 0;
    async function worker(): Promise<void> {
      for (let index = next++; index < calls.length; index = next++) {
        deadline.signal.throwIfAborted();
        const call = calls[index];
        if (call) finished[index] = await callOne(call);
      }
    }
    const workers = Array.from({ length: Math.min(settings.toolConcurrency, calls.length) }, worker);
    for (const settled of await Promise.allSettled(workers)) if (settled.status === "rejected") throw settled.reason;
    deadline.signal.throwIfAborted();

    for (const { record } of finished) {
      progress.toolCalls.push(record);
      progress.steps.push({ kind: "tool", round: progress.round, iteration: progress.iteration, ...record });
    }
    const looped = finished.find(({ loop }) => loop)?.record.toolName;
    const cut = new Set(finished.filter(({ truncated }) => truncated).map(({ message }) => message.callId));
    return { messages: finished.map(({ message }) => message), cut, looped };
  };
}

/** The arguments for the log: parsed if they are JSON, otherwise as text. */
function shownInput(text: string): Json {
  if (text.trim() === "") return {};
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
