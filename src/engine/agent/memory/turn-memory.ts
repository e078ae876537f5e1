import {
  assistantMessage,
  type AssistantMessage,
  type Message,
  toolCalls,
  type ToolMessage,
} from "../../model/message.ts";
import { startDeadline } from "../../time/deadline.ts";
import { firstChars } from "../../well-formed.ts";
import type { EarlyFinish } from "../ending.ts";
import { createExecution, type Execution } from "../execution.ts";
import { type Conversation, plainParts, repairHistory } from "../turn/conversation.ts";
import { type AgentMemory, createAgentMemory } from "./agent-memory.ts";
import type { MemoryTurn } from "../../memory/memory.ts";
import { openScratchpad, type Scratchpad, scratchpadSession } from "./scratchpad.ts";

/** Time for saving a turn after the agent's own time limit, in milliseconds. */
const keepTimeoutMs = 10_000;

/** Characters of a tool's result that a compact memory keeps. */
const compactResultChars = 500;

/** What the memory gave for a turn, and where the turn is written. */
export interface TurnMemory {
  store: AgentMemory;
  session: string;
  asked: MemoryTurn;
  history: Message[];
  /** What the scratchpad's session holds. */
  notes: Message[];
  /** Absent unless the settings ask for one. */
  scratchpad: Scratchpad | undefined;
}

/** A turn with something to write. */
interface OpenTurn extends Execution {
  conversation: Conversation;
  memory: TurnMemory;
  /** Whether the model was given untrusted content before it was asked anything. */
  untrustedBefore: boolean;
}

/** Loads the conversation and the notes of a turn. Rejects when the deadline aborts. */
export async function openTurnMemory(execution: Execution): Promise<TurnMemory> {
  const { run } = execution;
  const { settings, memory } = run;
  const store = createAgentMemory(execution);
  const session = store.session ?? "";
  const asked: MemoryTurn = {
    question: settings.userMessage,
    addEmbedding(use) {
      if (!memory) return;
      execution.addUsage(use.usage, use.costUsd);
      run.emit({ type: "embedding", nodeId: memory.nodeId, ...use });
    },
  };
  const [history, notes] = await Promise.all([
    store.load(session, asked),
    settings.scratchpad ? store.load(scratchpadSession(session)) : [],
  ]);
  const scratchpad = settings.scratchpad ? openScratchpad(notes) : undefined;
  return { store, session, asked, history, notes, scratchpad };
}

/** Writes a turn with `text` as its answer, and what changed in the scratchpad. False when the turn could not be written. */
export async function saveTurn(
  turn: OpenTurn,
  text: string,
  incomplete: EarlyFinish | undefined,
  store: AgentMemory = turn.memory.store,
): Promise<boolean> {
  const { session, asked, scratchpad } = turn.memory;
  const isTainted = turn.progress.untrusted.length > 0;
  const saved = await store.save(session, turnToRemember(turn, text, incomplete), asked);
  const note = scratchpad?.changes();
  if (note) await store.save(scratchpadSession(session), [isTainted ? { ...note, untrusted: true } : note]);
  return saved;
}

/** Writes what there is of a turn that failed, in time of its own. */
export async function keepTurn(turn: OpenTurn, finish: EarlyFinish): Promise<void> {
  const { run, progress } = turn;
  const text = progress.cutText || progress.continued || progress.lastText;
  if (text === "" && progress.toolCalls.length === 0) return;
  const ownTime = startDeadline(run.host, run.signal, keepTimeoutMs, "Saving what there is");
  await saveTurn(turn, text, finish, createAgentMemory(createExecution(run, ownTime, progress))).finally(() =>
    ownTime.stop(),
  );
}

/**
 * One turn as the memory keeps it: the question, the tool exchanges as the setting says, the answer. Reviews, rounds
 * and earlier drafts are not kept. The answer is marked if untrusted content went into it, whatever else is kept,
 * and where the turn ended early (`incomplete`): then it may have no text, and calls that were never made are left out.
 */
function turnToRemember(
  { run, progress, conversation, untrustedBefore }: OpenTurn,
  answer: string,
  incomplete: EarlyFinish | undefined,
): Message[] {
  const { rememberToolCalls: setting } = run.settings;
  const { turn } = conversation;
  const question = run.untrusted?.length
    ? { ...conversation.question, untrusted: true as const }
    : conversation.question;
  const exchanges: (AssistantMessage | ToolMessage)[] = [];
  if (setting !== "none") {
    let tainted = untrustedBefore;
    for (const message of incomplete === undefined ? turn : repairHistory(turn)) {
      if (message.role === "tool") {
        tainted ||= message.untrusted === true;
        // Its pictures were for the turn in which they came.
        const { images: _, ...kept } = message;
        const marked = { ...kept, untrusted: message.untrusted === true };
        exchanges.push(setting === "compact" ? compact(marked) : marked);
      } else if (message.role === "assistant" && toolCalls(message).length > 0) {
        const kept = setting === "compact" ? { ...message, parts: plainParts(message) } : message;
        exchanges.push(tainted ? { ...kept, untrusted: true } : kept);
      }
    }
  }
  const said = turn.findLast((message) => message.role === "assistant");
  const sources = said?.sources;
  const pictures = (said?.parts ?? []).filter((part) => part.type === "image");
  const words =
    answer === "" && (incomplete !== undefined || pictures.length > 0) ? [] : assistantMessage(answer).parts;
  const last: AssistantMessage = {
    role: "assistant",
    parts: [...words, ...pictures],
    ...(sources ? { sources } : {}),
    ...(progress.untrusted.length > 0 ? { untrusted: true } : {}),
    ...(incomplete === undefined ? {} : { incomplete }),
  };
  return [question, ...exchanges, last];
}

function compact(message: ToolMessage): ToolMessage {
  const { text } = message;
  return text.length <= compactResultChars ? message : { ...message, text: `${firstChars(text, compactResultChars)}…` };
}
