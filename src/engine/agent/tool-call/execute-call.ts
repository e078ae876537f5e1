import { addUsage, type Execution, pausedWhile } from "../execution.ts";
import { executeTool } from "./execute-tool.ts";
import type { MakeCall } from "./tool-call.ts";

/** Makes what calls a tool, within its time limit, and gives it what a tool may use of the agent. */
export function createCallExecutor(execution: Execution): MakeCall {
  const { run, deadline, progress } = execution;
  return async ({ entry, callId, input, clock, askForm, tellProgress }) => {
    const { tool, nodeId } = entry;
    const result = await executeTool(run.host, tool, input, deadline.signal, (limit) => {
      const whileAsking = <Value>(wait: () => Promise<Value>) =>
        clock.during(() => pausedWhile(execution, () => limit.pausedWhile(wait)));
      return {
        get signal() {
          return limit.signal;
        },
        callId,
        depth: run.depth + 1,
        untrusted: progress.untrusted,
        pausedWhile: whileAsking,
        addUsage: (usage, costUsd) => addUsage(execution, usage, costUsd),
        log(message, data) {
          run.emit({ type: "log", nodeId, level: "info", message, ...(data === undefined ? {} : { data }) });
        },
        ask: (form, options) => whileAsking(() => askForm(form, limit.signal, options)),
        tellProgress,
      };
    });
    return { input, result };
  };
}
