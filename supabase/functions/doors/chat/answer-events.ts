import { answerExtras, answerFiles } from "../../../../src/doors/answer-extras.ts";
import type { ChatEvent, ChatFile, ChatTurn } from "../../../../src/doors/chat-api.ts";
import type { FileValue } from "../../../../src/engine/file/file.ts";
import type { Json } from "../../../../src/engine/json.ts";
import { answerText } from "../../../../src/doors/answer-text.ts";
import type { RunEvent } from "../../../../src/engine/run/events.ts";
import type { DoorRun, RunNews } from "../../_shared/door-runs.ts";
import { SpokenText } from "../../_shared/spoken-text.ts";

/** What of a run its visitor sees. */
export interface AnswerView {
  /** Whether what a node's model says is the answer, rather than something on the way to it. */
  speaks(nodeId: string): boolean;
  namesSteps: boolean;
  /** Files with links for the visitor. */
  link(files: readonly FileValue[], run: string): Promise<ChatFile[]>;
}

/**
 * A run as its visitor sees it: the words of the answer as they come, the names of tools if the page shows them, whether a person
 * has to answer something first, and the end. No
 * prompt, argument, result, trace or error leaves the studio.
 */
export async function* answerEvents(news: AsyncIterable<RunNews>, view: AnswerView): AsyncGenerator<ChatEvent> {
  const spoken = new SpokenText();
  let speaking: string | undefined;
  let isCut = false;
  /** Ids of the questions that wait for a person. */
  const asked = new Set<string>();
  for await (const item of news) {
    const piece =
      item.kind === "live" ? spoken.live(item.text) : item.kind === "event" ? spoken.stored(item.event) : null;
    if (piece !== null && view.speaks(piece.nodeId)) {
      // What is said between two calls of tools stands apart.
      const isNext = speaking !== undefined && speaking !== piece.callId;
      speaking = piece.callId;
      yield { type: "text", delta: isNext ? `\n\n${piece.text}` : piece.text };
    }
    if (item.kind === "event") {
      const { event } = item;
      const waited = asked.size > 0;
      if (event.type === "approval-wait" || event.type === "form-wait") asked.add(event.callId);
      if (event.type === "approval-end" || event.type === "form-end") asked.delete(event.callId);
      if (waited !== asked.size > 0) yield { type: "wait", waiting: !waited };
      if (event.parentCallId !== undefined) continue;
      if (event.type === "iteration-end" && event.ending && view.speaks(event.nodeId)) isCut = true;
      const step = view.namesSteps ? stepOf(event) : null;
      if (step !== null) yield step;
    }
    if (item.kind === "end") yield await endOf(item.run, isCut, view);
  }
}

function stepOf(event: RunEvent): ChatEvent | null {
  if (event.type === "tool-call-start") return { type: "step", name: event.toolName, state: "running" };
  if (event.type === "tool-call-end") {
    const state = event.ok ? "done" : event.rejected ? "rejected" : "failed";
    return { type: "step", name: event.toolName, state };
  }
  return null;
}

/** How a run that has ended stands for its visitor. */
export function answerStatusOf(
  status: string,
  isCut: boolean,
): "running" | "completed" | "stopped" | "incomplete" | "failed" {
  switch (status) {
    case "completed":
      return isCut ? "incomplete" : "completed";
    case "cancelled":
      return "stopped";
    case "failed":
    case "interrupted":
      return "failed";
    default:
      return "running";
  }
}

async function endOf({ id, status, output }: DoorRun, isCut: boolean, view: AnswerView): Promise<ChatEvent> {
  const shown = await shownAnswer({ runId: id, status, output: output ?? undefined }, view);
  return { type: "end", status: answerStatusOf(status, isCut), ...shown };
}

/** What a visitor is shown of a run's output: nothing before it is complete. */
export async function shownAnswer(
  { runId, status, output }: { runId: string; status: string; output: Json | undefined },
  { link }: Pick<AnswerView, "link">,
): Promise<Pick<ChatTurn, "answer" | "sources" | "pictures" | "files">> {
  if (status !== "completed") return { answer: "" };
  const { sources, images } = answerExtras(output);
  const files = await link(answerFiles(output), runId);
  return {
    answer: answerText(output),
    ...(sources && { sources }),
    ...(images && { pictures: images }),
    ...(files.length > 0 && { files }),
  };
}
