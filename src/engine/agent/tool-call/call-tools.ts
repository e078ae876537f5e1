import type { ToolCallPart, ToolMessage } from "../../model/message.ts";
import type { Execution } from "../execution.ts";
import type { ModelAnswer } from "../model-call/model-call.ts";
import type { AgentSettings } from "../settings.ts";
import type { FinishedCall } from "./finish-call.ts";
import { createCallRunner } from "./run-call.ts";
import type { PlannedCall } from "./tool-call.ts";
import type { ToolTable } from "./tool-table.ts";

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

/** Runs all calls of one turn, which `answer` asked for. Rejects only when the deadline aborts. */
export type ToolCaller = (calls: readonly ToolCallPart[], answer: AnswerWithCalls) => Promise<ToolTurn>;

/** Creates the tool caller of one agent execution, which remembers approvals and repeated calls across turns. */
export function createToolCaller(execution: Execution, table: ToolTable): ToolCaller {
  const { run, deadline, progress } = execution;
  const { toolChoice, toolConcurrency } = run.settings;
  const runCall = createCallRunner(execution, table);

  return async (parts, answer) => {
    const calls = planCalls(parts, answer, toolChoice);
    const finished: FinishedCall[] = [];
    let next = 0;
    async function worker(): Promise<void> {
      for (let index = next++; index < calls.length; index = next++) {
        deadline.signal.throwIfAborted();
        const call = calls[index];
        if (call) finished[index] = await runCall({ ...call, entry: table.entries.get(call.part.toolName) });
      }
    }
    const workers = Array.from({ length: Math.min(toolConcurrency, calls.length) }, worker);
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

/** Which calls of one turn are run, in call order. None of an answer that broke off, as its arguments may not be whole. */
function planCalls(
  parts: readonly ToolCallPart[],
  answer: AnswerWithCalls,
  toolChoice: AgentSettings["toolChoice"],
): PlannedCall[] {
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
    return { part, refusal, note };
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
