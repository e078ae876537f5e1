import { answerText } from "../../doors/answer-text.ts";
import { isJsonObject } from "../../engine/json.ts";
import {
  type AssistantMessage,
  type Message,
  messageText,
  toolCalls,
  type ToolMessage,
  type UserMessage,
} from "../../engine/model/message.ts";
import type { ConversationRun } from "../../services/run-history.ts";
import { interruptedError } from "../../state/run/interrupt-run.ts";
import { answerParts, picturesOf, type Speech } from "./answer-speeches.ts";
import { asInline, type ChatMessage } from "./chat-message.ts";
import type { ChatPart } from "./chat-part.ts";
import { filesPart } from "./chat-parts.ts";

/**
 * An entry of a conversation as it was remembered. `question` is its place among all remembered questions, from 0; null for one
 * that no memory has.
 */
export type PastEntry =
  | { role: "user"; id: string; message: ChatMessage; question: number | null }
  | {
      role: "assistant";
      id: string;
      parts: ChatPart[];
      /** The run that gave it, where it is still stored. */
      runId: string | null;
    };

/** What one run added to a conversation; of messages without an origin, what stands between two questions. */
interface RememberedTurn {
  runId: string | undefined;
  question: Extract<PastEntry, { role: "user" }> | undefined;
  speeches: Speech[];
}

/**
 * A remembered conversation as a chat shows it: a question and its answer for each run, whatever its agents asked each other.
 * What `runs` tells of a run completes it: the question as it was asked, its own answer, its failure. Runs that failed or were
 * stopped before anything was remembered stand in their place by time.
 */
export function pastEntries(messages: readonly Message[], runs: readonly ConversationRun[] = []): PastEntry[] {
  const turns = rememberedTurns(messages);
  const runOf = new Map(runs.map((run) => [run.id, run]));
  const remembered = new Set(turns.flatMap(({ runId }) => runId ?? []));
  const missing = unrememberedRuns(runs).filter(({ id }) => !remembered.has(id));
  const entries: PastEntry[] = [];
  for (const turn of turns) {
    const run = turn.runId === undefined ? undefined : runOf.get(turn.runId);
    const later = run ? missing.findIndex(({ startedAt }) => startedAt >= run.startedAt) : 0;
    for (const earlier of missing.splice(0, later < 0 ? missing.length : later)) entries.push(...entriesOfRun(earlier));
    entries.push(...entriesOfTurn(turn, run));
  }
  return [...entries, ...missing.flatMap((run) => entriesOfRun(run))];
}

/** Runs without an answer that no memory has, oldest first; one whose question was asked again right after it is left out. */
function unrememberedRuns(runs: readonly ConversationRun[]): ConversationRun[] {
  const inOrder = runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  return inOrder.filter(
    (run, index) => run.status !== "completed" && !run.isRemembered && inOrder[index + 1]?.question !== run.question,
  );
}

function entriesOfRun(run: ConversationRun): PastEntry[] {
  if (run.question === null) return [];
  const message = { text: run.question, images: [] };
  return [
    { role: "user", id: run.id, message, question: null },
    { role: "assistant", id: `${run.id}-answer`, parts: endOfRun(run, []), runId: run.id },
  ];
}

function entriesOfTurn({ question, speeches }: RememberedTurn, run: ConversationRun | undefined): PastEntry[] {
  const answer = run?.status === "completed" ? answerText(run.output) : "";
  const parts = answerParts(
    speeches.filter((speech) => speech.parts.length > 0),
    { answer, isOver: true, isOfAgent: isJsonObject(run?.output) && isJsonObject(run.output["metadata"]) },
  );
  const said = run ? [...parts, ...filesPart(run.output, parts), ...endOfRun(run, parts)] : parts;
  const asked = question && (run?.question ? { ...question.message, text: run.question } : question.message);
  return [
    ...(question && asked ? [{ ...question, message: asked }] : []),
    ...(said.length > 0
      ? [
          {
            role: "assistant" as const,
            id: speeches[0]?.id ?? `${question?.id}-answer`,
            parts: said,
            runId: run?.id ?? null,
          },
        ]
      : []),
  ];
}

/** How a run ended, unless its answer says so already. */
function endOfRun({ id, status, error }: ConversationRun, parts: readonly ChatPart[]): ChatPart[] {
  const says = (kind: ChatPart["kind"]): boolean => allParts(parts).some((part) => part.kind === kind);
  if (status === "cancelled")
    return says("past-ending") ? [] : [{ kind: "past-ending", id: `${id}-end`, finish: "cancelled" }];
  if (status === "interrupted") {
    const { message, hint } = interruptedError;
    return [{ kind: "trouble", id: `${id}-end`, title: message, words: hint }];
  }
  if (status !== "failed" || !error || says("error")) return [];
  return [{ kind: "error", id: `${id}-end`, error }];
}

function allParts(parts: readonly ChatPart[]): readonly ChatPart[] {
  return parts.flatMap((part) => (part.kind === "agent" ? [part, ...allParts(part.parts)] : [part]));
}

function rememberedTurns(messages: readonly Message[]): RememberedTurn[] {
  const turns: RememberedTurn[] = [];
  const results = new Map<string, ToolMessage>();
  for (const message of messages) if (message.role === "tool") results.set(message.callId, message);
  let questions = 0;
  messages.forEach((message, index) => {
    const id = `past-${index}`;
    let turn = turns.at(-1);
    if (message.role === "user") {
      const { origin } = message;
      const place = questions++;
      // Another agent of the same run: its question is not the person's.
      if (!turn || origin === undefined || turn.runId !== origin.runId) {
        const question = { role: "user" as const, id, message: chatMessageOf(message), question: place };
        turns.push((turn = { runId: origin?.runId, question, speeches: [] }));
      }
      if (origin) turn.speeches.push({ id, nodeId: origin.nodeId, title: origin.title, parts: [] });
    }
    if (message.role !== "assistant") return;
    if (!turn) turns.push((turn = { runId: undefined, question: undefined, speeches: [] }));
    let speech = turn.speeches.at(-1);
    if (!speech) turn.speeches.push((speech = { id, nodeId: "", parts: [] }));
    if (speech.parts.length === 0) speech.id = id;
    speech.parts.push(...partsOfMessage(message, id, results));
  });
  return turns;
}

function partsOfMessage(message: AssistantMessage, id: string, results: ReadonlyMap<string, ToolMessage>): ChatPart[] {
  const parts: ChatPart[] = [];
  const text = messageText(message);
  if (text !== "") parts.push({ kind: "text", id, text, streaming: false });
  for (const call of toolCalls(message)) {
    const result = results.get(call.callId);
    parts.push({
      kind: "past-tool",
      id: `${id}-${call.callId}`,
      toolName: call.toolName,
      input: call.arguments,
      output: result?.text ?? "",
      ok: result?.ok ?? true,
      ...(result?.rejected ? { rejected: true } : {}),
    });
  }
  parts.push(...picturesOf(message, id));
  const { sources = [], incomplete, failure } = message;
  if (sources.length > 0) parts.push({ kind: "sources", id: `${id}-sources`, sources });
  if (failure) parts.push({ kind: "error", id: `${id}-error`, error: failure });
  else if (incomplete !== undefined) parts.push({ kind: "past-ending", id: `${id}-ending`, finish: incomplete });
  return parts;
}

function chatMessageOf(message: UserMessage): ChatMessage {
  const images = message.parts.flatMap((part) => (part.type === "image" ? [part.url] : []));
  const inline = message.parts.flatMap((part) => (part.type === "file" ? [asInline(part)] : []));
  const { files = [] } = message;
  return {
    text: messageText(message),
    images,
    ...(files.length > 0 ? { files } : {}),
    ...(inline.length > 0 ? { inline } : {}),
  };
}
