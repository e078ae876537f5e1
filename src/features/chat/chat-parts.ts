import type { AgentEnding, EarlyFinish } from "../../engine/agent/ending.ts";
import { answerText } from "../../engine/doors/answer-text.ts";
import {
  type AssistantMessage,
  messageText,
  toolCalls,
  type Message,
  type Source,
  type ToolMessage,
  type UserMessage,
} from "../../engine/model/message.ts";
import { asAttached, type ChatMessage } from "./chat-message.ts";
import type { RunErrorData } from "../../engine/run/errors.ts";
import type { NoteStep, RunState, ToolStep } from "../../engine/run/run-state.ts";

/** What goes wrong while an answer is given, and is told beside it. */
interface Trouble {
  title: string;
  words: string;
  /** When the next try begins, in milliseconds since 1970. */
  until?: number;
}

/** One piece of an answer, in the order in which it came. */
export type ChatPart =
  | { kind: "text"; id: string; text: string; streaming: boolean }
  | { kind: "tool"; id: string; step: ToolStep; live: boolean }
  | { kind: "past-tool"; id: string; toolName: string; input: string; output: string; ok: boolean; rejected?: true }
  | { kind: "picture"; id: string; url: string }
  | { kind: "sources"; id: string; sources: readonly Source[] }
  | ({ kind: "trouble"; id: string } & Trouble)
  | { kind: "error"; id: string; error: RunErrorData }
  | { kind: "ending"; id: string; ending: AgentEnding }
  | { kind: "past-ending"; id: string; finish: EarlyFinish };

/** What a run says in a chat: texts and tool calls in order, the output where no model said it, the failure. */
export function partsOfRun(run: RunState): ChatPart[] {
  const parts: ChatPart[] = [];
  const live = run.status === "running";
  for (const step of run.steps) {
    if (step.parentCallId !== undefined) continue;
    if (step.kind === "note") {
      const trouble = troubleOf(step, live && step === run.steps.at(-1));
      if (trouble) parts.push({ kind: "trouble", id: step.id, ...trouble });
    }
    if (step.kind === "tool") parts.push({ kind: "tool", id: step.id, step, live });
    if (step.kind !== "model" || !isSpoken(step.request.purpose)) continue;
    const text = step.response ? messageText(step.response.message) : step.text;
    if (text !== "") parts.push({ kind: "text", id: step.id, text, streaming: live && step.response === undefined });
    if (step.response) parts.push(...picturesOf(step.response.message, step.id));
    const sources = step.response?.message.sources ?? [];
    if (sources.length > 0) parts.push({ kind: "sources", id: `${step.id}-sources`, sources });
  }
  const answer = run.status === "completed" ? answerText(run.output) : "";
  const said = parts.some((part) => part.kind === "text" && part.text.trim() === answer.trim());
  if (answer !== "" && !said) parts.push({ kind: "text", id: "output", text: answer, streaming: false });
  if (run.ending && run.status === "completed") parts.push({ kind: "ending", id: "ending", ending: run.ending });
  if (run.error && run.status !== "cancelled") parts.push({ kind: "error", id: "error", error: run.error });
  return parts;
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
  const open = parts.findIndex((part) => part.kind === "tool" && part.live && part.step.end === undefined);
  const wanted = Math.max(0, parts.length - most);
  return open < 0 ? wanted : Math.min(wanted, open);
}

/** Plans and reviews are the agent's own notes; they stand in the Steps tab. */
function isSpoken(purpose: string): boolean {
  return purpose === "answer" || purpose === "final" || purpose === "repair";
}

/** An entry of a conversation as it was remembered. */
type PastEntry =
  | { role: "user"; id: string; message: ChatMessage }
  | { role: "assistant"; id: string; parts: ChatPart[] };

function chatMessageOf(message: UserMessage): ChatMessage {
  const images = message.parts.flatMap((part) => (part.type === "image" ? [part.url] : []));
  const files = message.parts.flatMap((part) => (part.type === "file" ? [asAttached(part)] : []));
  return { text: messageText(message), images, ...(files.length > 0 ? { files } : {}) };
}

function picturesOf(message: AssistantMessage, id: string): ChatPart[] {
  const pictures = message.parts.filter((part) => part.type === "image");
  return pictures.map(({ url }, index) => ({ kind: "picture", id: `${id}-picture-${index}`, url }));
}

/** A remembered conversation as a chat shows it: what stands between two questions is one answer. */
export function pastEntries(messages: readonly Message[]): PastEntry[] {
  const entries: PastEntry[] = [];
  const answers = new Map<string, ToolMessage>();
  for (const message of messages) if (message.role === "tool") answers.set(message.callId, message);
  messages.forEach((message, index) => {
    const id = `past-${index}`;
    if (message.role === "user") entries.push({ role: "user", id, message: chatMessageOf(message) });
    if (message.role !== "assistant") return;
    const parts: ChatPart[] = toolCalls(message).map((call) => {
      const answer = answers.get(call.callId);
      const [input, output] = [call.arguments, answer?.text ?? ""];
      return {
        kind: "past-tool",
        id: `${id}-${call.callId}`,
        toolName: call.toolName,
        input,
        output,
        ok: answer?.ok ?? true,
        ...(answer?.rejected ? { rejected: true as const } : {}),
      };
    });
    const text = messageText(message);
    if (text !== "") parts.unshift({ kind: "text", id, text, streaming: false });
    parts.push(...picturesOf(message, id));
    const { sources = [] } = message;
    if (sources.length > 0) parts.push({ kind: "sources", id: `${id}-sources`, sources });
    if (message.incomplete !== undefined)
      parts.push({ kind: "past-ending", id: `${id}-ending`, finish: message.incomplete });
    const last = entries.at(-1);
    if (last?.role === "assistant") last.parts.push(...parts);
    else entries.push({ role: "assistant", id, parts });
  });
  return entries;
}
