import { isJsonObject, type Json } from "../../json.ts";
import type { ToolCallPart, ToolMessage } from "../../model/message.ts";
import type { AgentRun } from "../agent-run.ts";
import type { ServedTool } from "../agent-replay.ts";
import { rememberApproved } from "./approvals.ts";
import { picturesIn } from "../attachments/attached-images.ts";
import { countUsage, type Progress, type ToolCallRecord } from "../turn/progress.ts";
import { joinTaint, noTaint } from "../../trust/taint.ts";
import { taintOf, type TableEntry } from "./tool-table.ts";

/** A finished call: what the model reads, and what the output shows. */
export interface FinishedCall {
  message: ToolMessage;
  record: ToolCallRecord;
  /** The model reads only the beginning of the result. */
  truncated: boolean;
  loop: boolean;
}

/**
 * Serves a recorded tool call instead of a real one: the same events, marked as replayed, and the same result. Nothing
 * is called; only the agent's own scratchpad is restored.
 */
export async function serveTool(
  run: AgentRun,
  progress: Progress,
  { part, entry, call }: { part: ToolCallPart; entry: TableEntry | undefined; call: ServedTool },
): Promise<FinishedCall> {
  const { replay, host } = run;
  const { start, approvals, inner, end } = call;
  const { toolName } = part;
  for (const event of [start, ...approvals]) replay?.emit(event);
  for (const event of inner) {
    replay?.emitInner(event);
    if (event.type === "model-response" || event.type === "embedding") countUsage(progress, event.usage, event.costUsd);
  }
  replay?.emit(end);

  const decision = approvals.findLast((event) => event.type === "approval-end");
  const input: Json = decision?.input ?? start.input;
  if (entry) {
    progress.hasCalledTool = true;
    if (decision?.approved !== false) progress.toolsUsed.add(toolName);
    if (decision?.approved === true) rememberApproved(run, entry);
    if (entry.nodeId === run.nodeId && isJsonObject(input)) await bringUpToDate(run, entry, input);
  }
  const untrusted = end.untrusted ?? (entry ? taintOf(entry) : noTaint);
  progress.untrusted = joinTaint(progress.untrusted, untrusted);
  const rejected = decision?.approved === false ? { rejected: true as const } : {};
  return {
    message: {
      role: "tool",
      callId: part.callId,
      toolName,
      ok: end.ok,
      text: end.text,
      ...rejected,
      ...shownPictures(run, end.output),
      ...(untrusted.length > 0 ? { untrusted: true } : {}),
    },
    record: {
      toolName,
      arguments: input,
      result: end.output,
      ok: end.ok,
      ...rejected,
      startedAt: host.now(),
      durationMs: end.durationMs,
    },
    truncated: end.truncated,
    loop: false,
  };
}

/** The pictures of a result, for a model that can see them. */
export function shownPictures({ model }: AgentRun, output: Json): Pick<ToolMessage, "images"> {
  const images = model.value.capabilities.vision ? picturesIn(output) : [];
  return images.length > 0 ? { images } : {};
}

/** The scratchpad's tools touch nothing but this execution's notes. */
async function bringUpToDate(run: AgentRun, { tool }: TableEntry, input: Parameters<TableEntry["tool"]["execute"]>[0]) {
  await tool
    .execute(input, {
      signal: run.signal,
      callId: "",
      depth: run.depth,
      untrusted: noTaint,
      pausedWhile: (wait) => wait(),
      addUsage() {},
      log() {},
      ask: () => Promise.resolve({ action: "decline" }),
      tellProgress() {},
    })
    .catch(() => undefined);
}
