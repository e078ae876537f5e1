import { executeTool } from "../../tool/execute-tool.ts";
import type { ToolCallContext } from "../../tool/tool.ts";
import type { AgentRun, Execution } from "../execution.ts";
import type { MakeCall, TableEntry } from "./tool-call.ts";

/** Milliseconds between two pieces of news of one call. */
const leastApart = 500;
/** A call tells no more than this, so that a log stays readable. */
const mostPerCall = 200;
const longestText = 300;

/** Makes what calls a tool, within its time limit, and gives it what a tool may use of the agent. */
export function createCallExecutor(execution: Execution): MakeCall {
  const { run, deadline, progress } = execution;
  return async ({ entry, callId, input, clock, askForm, tellProgress }) => {
    const { tool, nodeId } = entry;
    const result = await executeTool(run.host, tool, input, deadline.signal, (limit) => {
      const whileAsking = <Value>(wait: () => Promise<Value>) =>
        clock.during(() => execution.pausedWhile(() => limit.pausedWhile(wait)));
      return {
        get signal() {
          return limit.signal;
        },
        callId,
        depth: run.depth + 1,
        untrusted: progress.untrusted,
        pausedWhile: whileAsking,
        addUsage: execution.addUsage,
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

/** Makes what tells the progress of one call, now and then: each piece of news replaces the one before. */
export function createProgressTeller(
  run: AgentRun,
  { nodeId: toolNodeId, edgeId }: TableEntry,
  callId: string,
): ToolCallContext["tellProgress"] {
  let told = 0;
  let last = -Infinity;
  return ({ progress, total, text = "" }) => {
    const now = run.host.now();
    if (told >= mostPerCall || now - last < leastApart || !Number.isFinite(progress)) return;
    told += 1;
    last = now;
    run.emit({
      type: "tool-progress",
      nodeId: run.nodeId,
      toolNodeId,
      edgeId,
      callId,
      progress,
      ...(total !== undefined && Number.isFinite(total) && total > 0 ? { total } : {}),
      ...(text === "" ? {} : { text: text.slice(0, longestText) }),
    });
  };
}
