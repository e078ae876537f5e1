import { answerFiles } from "../../doors/answer-extras.ts";
import { answerText } from "../../doors/answer-text.ts";
import type { Json } from "../../engine/json.ts";
import { messageText } from "../../engine/model/message.ts";
import type { NoteStep, RunState, ToolStep } from "../../engine/run/run-state.ts";
import { answerParts, filesOf, picturesOf, type Speech } from "./answer-speeches.ts";
import type { ChatPart, Trouble } from "./chat-part.ts";
import type { ShownApp } from "../../engine/tool/tool-app.ts";

/** What a run says in a chat: texts and tool calls in order, the output where no model said it, the failure. */
export function partsOfRun(run: RunState): ChatPart[] {
  const before: ChatPart[] = [];
  const speeches: Speech[] = [];
  const live = run.status === "running";
  const speechOf = ({ nodeId, item }: Pick<Speech, "nodeId" | "item">): ChatPart[] => {
    const found = speeches.find((speech) => speech.nodeId === nodeId && speech.item === item);
    if (found) return found.parts;
    const speech: Speech = { id: `agent-${nodeId}-${item ?? ""}`, nodeId, item, parts: [] };
    speeches.push(speech);
    return speech.parts;
  };
  for (const step of run.steps) {
    if (step.parentCallId !== undefined) continue;
    if (step.kind === "note") {
      const trouble = troubleOf(step, live && step === run.steps.at(-1));
      const parts = speeches.at(-1)?.parts ?? before;
      if (trouble) parts.push({ kind: "trouble", id: step.id, ...trouble });
    }
    if (step.kind === "tool") speechOf(step).push({ kind: "tool", id: step.id, step, live, app: appOf(run, step) });
    if (step.kind !== "model" || !isSpoken(step.request.purpose)) continue;
    const text = step.response ? messageText(step.response.message) : step.text;
    const parts: ChatPart[] = [];
    if (text !== "") parts.push({ kind: "text", id: step.id, text, streaming: live && step.response === undefined });
    if (step.response) parts.push(...picturesOf(step.response.message, step.id));
    const sources = step.response?.message.sources ?? [];
    if (sources.length > 0) parts.push({ kind: "sources", id: `${step.id}-sources`, sources });
    if (parts.length > 0) speechOf(step).push(...parts);
  }
  const answer = run.status === "completed" ? answerText(run.output) : "";
  const parts = [...before, ...answerParts(speeches, { answer, isOver: !live })];
  if (run.status === "completed") parts.push(...filesPart(run.output, parts));
  if (run.ending && run.status === "completed") parts.push({ kind: "ending", id: "ending", ending: run.ending });
  if (run.error && run.status !== "cancelled") parts.push({ kind: "error", id: "error", error: run.error });
  return parts;
}

/** The files of a run's output besides those that stand in `parts`; no part where it has none. */
export function filesPart(output: Json | undefined, parts: readonly ChatPart[]): ChatPart[] {
  const shown = new Set(filesOf(parts).map(({ $file }) => $file));
  const files = answerFiles(output).filter(({ $file }) => !shown.has($file));
  return files.length > 0 ? [{ kind: "files", id: "files", files }] : [];
}

/** The interface of the tool, with what it shows. */
function appOf(run: RunState, { shown, start, approval, heldInput }: ToolStep): ShownApp | undefined {
  if (!shown || start.toolNodeId === undefined) return undefined;
  const { nodeId, toolNodeId, toolName } = start;
  const input = approval?.input ?? heldInput ?? start.input;
  return { ...shown, html: run.apps?.[shown.app.sha256], runId: run.runId, nodeId, toolNodeId, toolName, input };
}

/** What the person must know of a call that is tried again, and of a memory that fails; `now` while it is the last thing that happened in a live run. */
function troubleOf({ event }: NoteStep, now: boolean): Trouble | undefined {
  if (event.type === "retry") {
    if (!now) return undefined;
    const what = event.error.code === "memory_error" ? "Trying the memory again" : "Trying again";
    return {
      title: `${what} (${event.attempt} of ${event.maxAttempts})`,
      words: event.error.message,
      until: event.at + event.delayMs,
    };
  }
  if (event.type !== "memory-error") return undefined;
  const words = `${event.error.message} ${event.error.hint}`;
  if (event.operation === "load") return { title: "This answer was given without the earlier conversation", words };
  // A turn that may be saved later waits in this browser; the chat says so as long as it does.
  return event.operation === "save" && !event.error.retryable ? { title: "This turn was not saved", words } : undefined;
}

/** How many of the first parts are left out where at most `most` are shown; none that is still under way is among them. */
export function firstShown(parts: readonly ChatPart[], most: number): number {
  const open = parts.findIndex(isUnderWay);
  const wanted = Math.max(0, parts.length - most);
  return open < 0 ? wanted : Math.min(wanted, open);
}

/** Whether a tool call goes on that may wait for a person. */
function isUnderWay(part: ChatPart): boolean {
  if (part.kind === "agent") return part.parts.some(isUnderWay);
  return part.kind === "tool" && part.live && part.step.end === undefined;
}

/** Plans and reviews are the agent's own notes; they stand among the steps. */
function isSpoken(purpose: string): boolean {
  return purpose === "answer" || purpose === "final" || purpose === "repair";
}
