import { describe, expect, it } from "vitest";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../engine/json.ts";
import { assistantMessage, type Message, messageText, userMessage } from "../../engine/model/message.ts";
import { emptyRunState, type NoteStep, type RunState } from "../../engine/run/run-state.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { ServiceError, type MemoryEntry, type MemoryRepository, type SessionAddress } from "../../services/services.ts";
import { inputOf } from "./chat-message.ts";
import { forgetFromQuestion, forgetTurns } from "./forget-turns.ts";

const conversation = (...texts: string[]): Message[] =>
  texts.flatMap((text) => [userMessage(text), assistantMessage(`About ${text}`)]);

/** A memory with one session; keeps where it was asked. */
function memoryOf(messages: readonly Message[]) {
  let entries: MemoryEntry[] = messages.map((message, id) => ({ id, message }));
  const addresses: SessionAddress[] = [];
  const memory: Pick<MemoryRepository, "entries" | "replace"> = {
    entries: (address) => {
      addresses.push(address);
      return Promise.resolve([...entries]);
    },
    replace: (_address, entry) => {
      entries = entries.filter(({ id }) => id !== entry.id);
      return Promise.resolve();
    },
  };
  return { memory, addresses, left: () => entries.map(({ message }) => messageText(message)) };
}

function documentWith(type: string, config: JsonObject = {}): WorkflowDocument {
  const node = { id: "memory", type, version: 1, title: "Memory", position: { x: 0, y: 0 }, config };
  return { schemaVersion: 1, id: "w", name: "W", nodes: { memory: node }, edges: {} };
}

function turn(question: string, saved = true): RunState {
  const use = { nodeId: "agent", memoryNodeId: "memory", edgeId: "e", session: "s" };
  const event = { runId: "r", seq: 1, at: 0, type: "memory-save", messages: 2, durationMs: 1, ...use } as const;
  const save: NoteStep = { kind: "note", id: "save", nodeId: "agent", startedAt: 0, event };
  return { ...emptyRunState("r"), input: inputOf({ text: question, images: [] }, "s"), steps: saved ? [save] : [] };
}

describe("forgetTurns", () => {
  it("takes the turn and all after it out of the place where the memory node keeps it", async () => {
    const { memory, addresses, left } = memoryOf(conversation("one", "two", "three"));
    await forgetTurns(memory, { document: documentWith("window-memory", { scope: "all" }), registry: nodeRegistry }, [
      turn("two"),
      turn("three"),
    ]);
    expect(left()).toEqual(["one", "About one"]);
    expect(addresses).toEqual([{ place: { storage: "postgres" }, workflowId: null, sessionId: "s" }]);
    const tab = memoryOf(conversation("one"));
    await forgetTurns(tab.memory, { document: documentWith("buffer-memory"), registry: nodeRegistry }, [turn("one")]);
    expect(tab.addresses[0]).toEqual({ place: { storage: "tab" }, workflowId: "w", sessionId: "s" });
    expect(tab.left()).toEqual([]);
  });

  it("tells equal questions apart by what came after", async () => {
    const { memory, left } = memoryOf(conversation("same", "same", "same"));
    await forgetTurns(memory, { document: documentWith("window-memory"), registry: nodeRegistry }, [
      turn("same"),
      turn("same"),
    ]);
    expect(left()).toEqual(["same", "About same"]);
  });

  it("finds a turn that the memory keeps masked, by what its question became", async () => {
    const { memory, left } = memoryOf(conversation("one", "to [email]", "to [email]"));
    const privacy = { mask: ["emails" as const], patterns: [], memory: true };
    const document = { ...documentWith("window-memory"), privacy };
    await forgetTurns(memory, { document, registry: nodeRegistry }, [
      turn("to ada@example.org"),
      turn("to bob@example.org"),
    ]);
    expect(left()).toEqual(["one", "About one"]);
  });

  it("leaves what was there before a failed turn, which saved nothing", async () => {
    const { memory, left } = memoryOf(conversation("same"));
    await forgetTurns(memory, { document: documentWith("window-memory"), registry: nodeRegistry }, [
      turn("same", false),
    ]);
    expect(left()).toHaveLength(2);
    const later = memoryOf(conversation("one", "two"));
    await forgetTurns(later.memory, { document: documentWith("window-memory"), registry: nodeRegistry }, [
      turn("broken", false),
      turn("two"),
    ]);
    expect(later.left()).toEqual(["one", "About one"]);
  });

  it("needs nothing where the memory dropped the turn or is gone, and rejects where it cannot be reached", async () => {
    const { memory, left } = memoryOf(conversation("other"));
    await forgetTurns(memory, { document: documentWith("window-memory"), registry: nodeRegistry }, [turn("dropped")]);
    await forgetTurns(memory, { document: { ...documentWith("x"), nodes: {} }, registry: nodeRegistry }, [
      turn("other"),
    ]);
    expect(left()).toHaveLength(2);
    const offline = {
      ...memory,
      entries: () => Promise.reject(new ServiceError("offline", "No connection.", "Wait.")),
    };
    await expect(
      forgetTurns(offline, { document: documentWith("window-memory"), registry: nodeRegistry }, [turn("other")]),
    ).rejects.toThrow("No connection.");
  });
});

describe("forgetFromQuestion", () => {
  it("counts questions, not messages", async () => {
    const { memory, left } = memoryOf(conversation("one", "two", "three"));
    await forgetFromQuestion(memory, { workflowId: "w", sessionId: "s" }, 1);
    expect(left()).toEqual(["one", "About one"]);
    await forgetFromQuestion(memory, { workflowId: "w", sessionId: "s" }, 5);
    expect(left()).toHaveLength(2);
  });
});
