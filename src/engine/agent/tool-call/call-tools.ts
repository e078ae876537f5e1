import type { Wired } from "../../document/define-node.ts";
import type { ToolDefinition } from "../../model/chat-model.ts";
import type { ToolCallPart, ToolMessage } from "../../model/message.ts";
import { createWaitClock, type WaitClock } from "../../time/wait-clock.ts";
import { noTaint, untrustedField } from "../../trust/taint.ts";
import type { Execution } from "../execution.ts";
import { type Execute, intercepted } from "../interceptor.ts";
import type { ModelAnswer } from "../model-call/model-call.ts";
import type { AgentSettings } from "../settings.ts";
import type { ToolSet } from "../tool.ts";
import { createFormAsker } from "./ask-form.ts";
import { createCallExecutor, createProgressTeller } from "./execute-tool.ts";
import { approveCall, checkEdited, holdCall, recordUse, retryCall, storeFirst } from "./interceptors.ts";
import { recordProvidedResult, serveRecorded } from "./replay-call.ts";
import { type AskedCall, parseArguments, refusedCall, shownInput, type ToolUse } from "./tool-call.ts";
import { countRepetition, finishedCall, type FinishedCall, resultText } from "./tool-result.ts";
import { buildToolTable, type ToolTable, unknownToolReason } from "./tool-table.ts";

/** More calls than this in one turn are not run; the model is told. */
const maxCallsPerTurn = 100;

/** What planning needs to know of the answer that asks for the calls. */
type AnswerWithCalls = Pick<ModelAnswer, "repeatedIds" | "finishReason" | "rawFinishReason">;

/** The results of one turn in call order, and the tool that the model calls in a loop, if any. */
interface ToolTurn {
  messages: ToolMessage[];
  /** The ids of calls whose results were cut for the model. */
  cut: ReadonlySet<string>;
  looped: string | undefined;
}

/** The tools of one agent execution. */
export interface ToolCaller {
  definitions: ToolDefinition[];
  /** Runs all calls of one turn, which `answer` asked for. Rejects only when the deadline aborts. */
  callTools(calls: readonly ToolCallPart[], answer: AnswerWithCalls): Promise<ToolTurn>;
}

/** Creates the tool caller of one agent execution, which remembers approvals and repeated calls across turns. */
export function createToolCaller(execution: Execution, sets: readonly Wired<ToolSet>[]): ToolCaller {
  const { run, deadline, progress } = execution;
  const table = buildToolTable(execution, sets);
  const runCall = createCallRunner(execution, table);

  async function callTools(parts: readonly ToolCallPart[], answer: AnswerWithCalls): Promise<ToolTurn> {
    const calls = planCalls(parts, answer, table, run.settings.toolChoice);
    const finished: FinishedCall[] = [];
    let next = 0;
    async function worker(): Promise<void> {
      for (let index = next++; index < calls.length; index = next++) {
        deadline.signal.throwIfAborted();
        const call = calls[index];
        if (call) finished[index] = await runCall(call);
      }
    }
    const workers = Array.from({ length: Math.min(run.settings.toolConcurrency, calls.length) }, worker);
    for (const settled of await Promise.allSettled(workers)) if (settled.status === "rejected") throw settled.reason;
    deadline.signal.throwIfAborted();

    for (const { record } of finished) {
      progress.toolCalls.push(record);
      progress.steps.push({ kind: "tool", round: progress.round, iteration: progress.iteration, ...record });
    }
    const looped = finished.find(({ loop }) => loop)?.record.toolName;
    const cut = new Set(finished.filter(({ truncated }) => truncated).map(({ message }) => message.callId));
    return { messages: finished.map(({ message }) => message), cut, looped };
  }
  return { definitions: table.definitions, callTools };
}

/** Which calls of one turn are run, in call order. None of an answer that broke off, as its arguments may not be whole. */
function planCalls(
  parts: readonly ToolCallPart[],
  answer: AnswerWithCalls,
  table: ToolTable,
  toolChoice: AgentSettings["toolChoice"],
): AskedCall[] {
  const { repeatedIds, finishReason, rawFinishReason } = answer;
  const seen = new Set<string>();
  return parts.map((part, index) => {
    const body = `${part.toolName}\n${part.arguments}`;
    const oldId = repeatedIds.get(part.callId);
    const double = oldId !== undefined && seen.has(body);
    seen.add(body);
    const refusal =
      toolChoice === "none"
        ? "Tools are turned off for this agent. Answer without calling any."
        : index >= maxCallsPerTurn
          ? `Only ${maxCallsPerTurn} calls are run per turn; this one was not. Make fewer calls at once.`
          : finishReason === "other"
            ? `Your answer broke off (${rawFinishReason ?? "no reason given"}), so this call was not made. Make it again.`
            : finishReason === "length" && index === parts.length - 1 && isCut(part.arguments)
              ? "Your answer reached its token limit before the arguments of this call were complete, so it was not made. Make it again with shorter arguments, or do it in smaller steps."
              : double
                ? `The call id "${oldId}" was used twice for the same call, which was run only once.`
                : undefined;
    const note =
      oldId !== undefined && !double ? `[The call id "${oldId}" was used twice; each call was run.]` : undefined;
    return { part, entry: table.entries.get(part.toolName), refusal, note };
  });
}

/** Whether arguments stop in the middle, or before they began. */
function isCut(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

/** A call that the log knows of. */
interface StartedCall extends AskedCall {
  /** What its events have in common. */
  place: { nodeId: string; toolNodeId: string; edgeId: string; callId: string; toolName: string };
  /** Its arguments as text. */
  text: string;
  startedAt: number;
  clock: WaitClock;
}

/**
 * Makes what runs one call: prepare, execute, finalize. Whatever goes wrong becomes a result for the model; rejects only when
 * the deadline aborts.
 */
function createCallRunner(execution: Execution, table: ToolTable): Execute<AskedCall, FinishedCall> {
  const { run, progress } = execution;
  const { host, nodeId } = run;
  const { callIds } = run.scope;
  const makeCall = intercepted(createCallExecutor(execution), [
    holdCall(execution),
    approveCall(execution),
    checkEdited,
    storeFirst(execution),
    recordUse(execution),
    retryCall(execution),
  ]);

  function prepare(asked: AskedCall): StartedCall {
    const { part, entry, live } = asked;
    const text = live?.input === undefined ? part.arguments : JSON.stringify(live.input);
    const callId = live?.again?.callId ?? (callIds.has(part.callId) ? host.newId() : part.callId);
    callIds.add(callId);
    const toolNodeId = entry?.nodeId ?? nodeId;
    const place = { nodeId, toolNodeId, edgeId: entry?.edgeId ?? "", callId, toolName: part.toolName };
    const startedAt = host.now();
    run.emit({ type: "tool-call-start", ...place, input: shownInput(text) });
    return { ...asked, place, text, startedAt, clock: createWaitClock(() => host.now()) };
  }

  async function execute({ entry, refusal, live, text, place, clock }: StartedCall): Promise<ToolUse> {
    const { callId, toolName } = place;
    if (live?.result) return { input: shownInput(text), result: recordProvidedResult(progress, entry, live.result) };
    if (!entry || refusal !== undefined)
      return { input: shownInput(text), result: refusedCall(refusal ?? unknownToolReason(table, toolName)) };
    const parsed = await parseArguments(text, entry.check);
    if (!parsed.ok) return { input: parsed.input, result: refusedCall(`Invalid arguments. ${parsed.reason}`) };
    progress.hasCalledTool = true;
    return makeCall({
      entry,
      callId,
      input: parsed.input,
      written: parsed.input,
      clock,
      again: live?.again,
      askForm: createFormAsker(run, entry, callId),
      tellProgress: createProgressTeller(run, entry, callId),
    });
  }

  function finalize(call: StartedCall, { input, result, rejected }: ToolUse): FinishedCall {
    const { part, entry, note, place, startedAt, clock } = call;
    const shown = resultText(result, entry?.tool.maxResultChars);
    // The time that a person takes to decide is not the tool's.
    const durationMs = Math.max(0, host.now() - startedAt - clock.waitedMs());
    const repetition = countRepetition(execution, part.toolName, input, shown.text);
    const text = [shown.text, note, repetition.note].filter((each) => each !== undefined).join("\n");
    const { size, truncated, output } = shown;
    const { ok } = result;
    const mark = rejected ? { rejected } : {};
    const taint = untrustedField(result.untrusted ?? noTaint);
    run.emit({ type: "tool-call-end", ...place, ok, output, text, size, truncated, durationMs, ...mark, ...taint });
    return finishedCall(execution, part, {
      arguments: input,
      result: output,
      ok,
      ...mark,
      startedAt,
      durationMs,
      text,
      untrusted: taint.untrusted !== undefined,
      truncated,
      loop: repetition.loop,
    });
  }

  return intercepted(
    async (asked) => {
      const call = prepare(asked);
      return finalize(call, await execute(call));
    },
    [serveRecorded(execution)],
  );
}
