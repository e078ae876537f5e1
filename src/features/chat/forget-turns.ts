import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { messageText, userMessage } from "../../engine/model/message.ts";
import { memoryMask } from "../../engine/run/privacy/memory-mask.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { placeOfMemory } from "../../state/conversation/memory-place.ts";
import type { MemoryEntry, MemoryRepository, SessionAddress } from "../../services/services.ts";
import { messageOfInput } from "./chat-message.ts";

/** A turn that a memory took in: what was asked, and where it was written. */
interface SavedTurn {
  question: string;
  memoryNodeId: string;
  session: string;
}

function savedTurn(run: RunState): SavedTurn | null {
  for (const step of run.steps) {
    if (step.kind !== "note" || step.event.type !== "memory-save" || step.parentCallId !== undefined) continue;
    const { memoryNodeId, session, scratch } = step.event;
    if (scratch) continue;
    return { question: messageOfInput(run.input).text, memoryNodeId, session };
  }
  return null;
}

/** Where a memory node of the workflow keeps a session. */
function addressOf(
  document: WorkflowDocument,
  registry: NodeRegistry,
  { memoryNodeId, session }: SavedTurn,
): SessionAddress | null {
  const node = document.nodes[memoryNodeId];
  const place = node && placeOfMemory(registry, node);
  if (!place) return null;
  return { place, workflowId: node.config["scope"] === "all" ? null : document.id, sessionId: session };
}

type Memory = Pick<MemoryRepository, "entries" | "replace">;

/** Deletes an entry and all that came after it, the last one first, so that a failure leaves no gap. */
async function cutFrom(memory: Memory, address: SessionAddress, entries: readonly MemoryEntry[], first: MemoryEntry) {
  for (const entry of entries.slice(entries.indexOf(first)).toReversed()) await memory.replace(address, entry, null);
}

const isQuestion = ({ message }: MemoryEntry) => message.role === "user";

/**
 * Takes turns out of the memory, and everything after them: `runs` are a conversation's last ones, oldest first. Runs that
 * saved nothing, and turns that the memory has dropped by itself, need nothing. Rejects when the memory cannot be reached.
 */
export async function forgetTurns(
  memory: Memory,
  { document, registry }: { document: WorkflowDocument; registry: NodeRegistry },
  runs: readonly RunState[],
): Promise<void> {
  const mask = await memoryMask(document.privacy);
  const asStored = (question: string) =>
    mask?.([userMessage(question)])
      .map(messageText)
      .join("") ?? question;
  const saved = runs.flatMap((run) => savedTurn(run) ?? []);
  const [first, ...later] = saved;
  const address = first && addressOf(document, registry, first);
  if (!address) return;
  const entries = await memory.entries(address);
  // A memory may hold turns of before and after its masking was turned on.
  const isFirst = (text: string) => text === first.question || text === asStored(first.question);
  const same = entries.filter((entry) => isQuestion(entry) && isFirst(messageText(entry.message)));
  const sameLater = later.filter(({ question }) => asStored(question) === asStored(first.question)).length;
  const found = same.at(-1 - sameLater);
  if (found) await cutFrom(memory, address, entries, found);
}

/** Takes the question with this place among the conversation's questions (from 0), and everything after it, out of the database. */
export async function forgetFromQuestion(
  memory: Memory,
  conversation: Pick<SessionAddress, "workflowId" | "sessionId">,
  place: number,
): Promise<void> {
  const address: SessionAddress = { ...conversation, place: { storage: "postgres" } };
  const entries = await memory.entries(address);
  const found = entries.filter((entry) => isQuestion(entry))[place];
  if (found) await cutFrom(memory, address, entries, found);
}
