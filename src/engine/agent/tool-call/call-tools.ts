import type { ToolCallPart, ToolMessage } from "../../model/message.ts";
import type { Execution } from "../execution.ts";
import type { FinishedCall } from "./finish-call.ts";
import { type AnswerWithCalls, planCalls } from "./plan-calls.ts";
import { createCallRunner } from "./run-call.ts";
import type { ToolTable } from "./tool-table.ts";

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
