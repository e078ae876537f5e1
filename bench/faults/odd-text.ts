import { randomUUID } from "node:crypto";
import { newDocument } from "../../src/engine/document/new-document.ts";
import { assistantMessage, messageText, userMessage } from "../../src/engine/model/message.ts";
import type { RunEvent } from "../../src/engine/run/events.ts";
import { createMessageStore } from "../../src/state/conversation/storage/message-store.ts";
import { createRunRepository } from "../../src/state/run/storage/run-repository.ts";
import { recordRun } from "../../src/state/run/run-recorder.ts";
import type { SaveState } from "../../src/state/run/run-store.ts";
import type { FaultCheck } from "./fault-world.ts";

/** Texts that no database takes as they are. */
const odd = ["\u0000", "\ud83d", "\ude00 alone", "a\u0000b\ud83d\ud83d", "😀\ude00"];

function runOf(runId: string, workflowId: string, text: string): RunEvent[] {
  const at = Date.now();
  const call = { nodeId: "agent", toolNodeId: "tool", edgeId: "edge", callId: "call-1", toolName: "read" };
  const usage = { inputTokens: 1, outputTokens: 1 };
  const said = (part: string) => ({ type: "text-delta", nodeId: "agent", callId: "model-1", text: part }) as const;
  const output = { [text]: [text] };
  const bodies = [
    { type: "run-start", workflowId, workflowName: "Odd", input: { message: text } },
    { type: "tool-call-start", ...call, input: { [text]: text } },
    { type: "tool-call-end", ...call, ok: true, output, text, size: 1, truncated: false, durationMs: 1 },
    said("Smile \ud83d"),
    said("\ude00."),
    said(text),
    { type: "run-end", outcome: "completed", output: text, usage, costUsd: 0, durationMs: 5 },
  ] as const;
  return bodies.map((body, seq) => ({ runId, seq, at, ...body }));
}

/** A run with an odd character in its answer, its tool's result and its input is stored to its end. */
export const oddTextInRun: FaultCheck = {
  name: "a run with a character that no database takes",
  async round({ client, newWorkflow }, index) {
    const repository = createRunRepository(client);
    const [id, workflowId, text] = [randomUUID(), await newWorkflow(), odd[index % odd.length] ?? ""];
    let state: SaveState | undefined;
    const document = newDocument(workflowId, "Odd");
    const run = { id, workflowId, input: { message: text }, document, startedAt: Date.now() };
    const recorder = recordRun(run, { repository, registry: {}, onState: (next) => (state = next) });
    for (const event of runOf(id, workflowId, text)) recorder.push(event);
    await recorder.done;
    const events = await repository.events(id);
    const said = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
    const { status } = await repository.get(id);
    return state?.status === "saved" && status === "completed" && events.length === 7 && said.startsWith("Smile 😀.");
  },
};

/** A turn with an odd character is remembered. */
export const oddTextInMemory: FaultCheck = {
  name: "a turn with a character that no database takes",
  async round({ client, newWorkflow }, index) {
    const store = createMessageStore(client.database);
    const text = odd[index % odd.length] ?? "";
    const key = { workflowId: await newWorkflow(), sessionId: "s" };
    await store.append(key, [userMessage(`Q ${text}`), assistantMessage(`A 😀 ${text}`)]);
    const kept = await store.load(key, {});
    const texts = kept.map(messageText);
    return texts.length === 2 && texts[0]?.startsWith("Q ") === true && texts[1]?.startsWith("A 😀 ") === true;
  },
};

/** A workflow with an odd character in a setting and in its name is saved. */
export const oddTextInWorkflow: FaultCheck = {
  name: "a workflow with a character that no database takes",
  async round({ workflows }, index) {
    const text = odd[index % odd.length] ?? "";
    const document = { ...newDocument(randomUUID(), `Odd ${text}`), description: `Description ${text}` };
    const { revision } = await workflows.create(document);
    const saved = await workflows.save({ ...document, vars: { text } }, revision);
    const { name, document: stored } = await workflows.get(document.id);
    return saved.ok && name.startsWith("Odd ") && typeof stored.vars?.["text"] === "string";
  },
};
