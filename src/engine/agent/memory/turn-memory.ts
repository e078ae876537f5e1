import type { Message, UserMessage } from "../../model/message.ts";
import { startDeadline } from "../../time/deadline.ts";
import type { EarlyFinish } from "../ending.ts";
import { addUsage, type Execution } from "../execution.ts";
import type { Conversation } from "../turn/conversation.ts";
import { type AgentMemory, createAgentMemory } from "./agent-memory.ts";
import type { MemoryTurn } from "./memory.ts";
import { turnToRemember } from "./remember.ts";
import { openScratchpad, type Scratchpad, scratchpadSession } from "./scratchpad.ts";

/** Time for saving a turn after the agent's own time limit, in milliseconds. */
const keepTimeoutMs = 10_000;

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
  const { run, deadline } = execution;
  const { settings, memory } = run;
  const store = createAgentMemory(run, deadline);
  const session = store.session ?? "";
  const asked: MemoryTurn = {
    question: settings.userMessage,
    addEmbedding(use) {
      if (!memory) return;
      addUsage(execution, use.usage, use.costUsd);
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
  { run, progress, conversation, memory, untrustedBefore }: OpenTurn,
  text: string,
  incomplete: EarlyFinish | undefined,
  store: AgentMemory = memory.store,
): Promise<boolean> {
  const { session, asked, scratchpad } = memory;
  const { question, turn } = conversation;
  const after = progress.untrusted.length > 0;
  const marked: UserMessage = run.untrusted?.length ? { ...question, untrusted: true } : question;
  const marks = { before: untrustedBefore, after, incomplete };
  const messages = turnToRemember(run.settings.rememberToolCalls, marked, turn, text, marks);
  const saved = await store.save(session, messages, asked);
  const note = scratchpad?.changes();
  if (note) await store.save(scratchpadSession(session), [after ? { ...note, untrusted: true } : note]);
  return saved;
}

/** Writes what there is of a turn that failed, in time of its own. */
export async function keepTurn(turn: OpenTurn, finish: EarlyFinish): Promise<void> {
  const { run, progress } = turn;
  const text = progress.cutText || progress.continued || progress.lastText;
  if (text === "" && progress.toolCalls.length === 0) return;
  const ownTime = startDeadline(run.host, run.signal, keepTimeoutMs, "Saving what there is");
  await saveTurn(turn, text, finish, createAgentMemory(run, ownTime)).finally(() => ownTime.stop());
}
