import type { AgentRun } from "../agent-run.ts";
import type { TableEntry } from "./tool-table.ts";
import type { ToolCallContext, ToolProgress } from "../tool.ts";

/** Milliseconds between two pieces of news of one call. */
const leastApart = 500;
/** A call tells no more than this, so that a log stays readable. */
const mostPerCall = 200;
const longestText = 300;

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

/** "3 of 10 · Reading page 3", or what of that is known. */
export function progressWords({ progress, total, text = "" }: ToolProgress): string {
  const share = total === undefined ? `${rounded(progress)}` : `${rounded(progress)} of ${rounded(total)}`;
  return text === "" ? share : `${share} · ${text}`;
}

function rounded(amount: number): number {
  return Math.round(amount * 100) / 100;
}
