import type { Host } from "../../src/engine/host.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/engine/json.ts";
import type { RunEvent } from "../../src/engine/run/events.ts";
import { runToEnd } from "../../src/engine/testing/run-to-end.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { assistantDocument } from "../../src/state/assistant/assistant-workflow.ts";
import { applyChanges } from "../../src/state/assistant/changes.ts";
import { newErrors } from "../../src/state/assistant/check-draft.ts";
import { Desk, type DeskState } from "../../src/state/assistant/desk.ts";
import { deskTools } from "../../src/state/assistant/desk-tools.ts";
import type { AssistantTask, Outcome } from "./task.ts";

/** Which model plays the assistant, and where it is reached. */
export interface ModelSeat {
  /** The model node of the assistant's workflow. */
  node: { type: string; config: JsonObject };
  host: Host;
}

/** Lets the assistant's own workflow do a task, through the engine and on a desk as in the editor. */
export async function playTask(task: AssistantTask, seat: ModelSeat): Promise<Outcome> {
  let state: DeskState = { proposal: null, verdict: null };
  let ids = 0;
  const desk = new Desk({
    registry: nodeRegistry,
    newId: () => `new-${(ids += 1)}`,
    document: () => task.document,
    runs: runsOf(task),
    onChange: (next) => (state = next),
  });
  desk.beginRequest(task.ask);
  const assistant = assistantDocument("assistant");
  const model = assistant.nodes["model"];
  if (model === undefined) throw new Error("The assistant's workflow has no model.");
  assistant.nodes["model"] = { ...model, type: seat.node.type, config: seat.node.config };
  const host: Host = { ...seat.host, studio: () => ({ tools: deskTools(desk) }) };
  const { events, end } = await runToEnd(assistant, { registry: nodeRegistry, host, input: { message: task.ask } });
  const { proposal, verdict } = state;
  const applied = proposal && applyChanges(task.document, proposal.changes, nodeRegistry);
  const canAccept = proposal !== null && applied?.ok === true && proposal.problems.length === 0;
  const accepted = canAccept ? applied.document : task.document;
  return {
    proposal,
    verdict,
    accepted,
    canAccept,
    isValid: newErrors(task.document, accepted, nodeRegistry).length === 0,
    repairs: events.filter(isRepair).length,
    tokens: end.usage.inputTokens + end.usage.outputTokens,
    events,
    ...(end.outcome === "completed" ? crashOf(events) : { failure: end.error?.message ?? end.outcome }),
  };
}

function runsOf({ runs }: AssistantTask) {
  return {
    list: async (limit: number) =>
      runs.slice(0, limit).map(({ id, events }) => {
        const start = events.find((event) => event.type === "run-start");
        const end = events.findLast((event) => event.type === "run-end");
        return {
          id,
          status: end?.outcome ?? "interrupted",
          startedAt: new Date(start?.at ?? 0).toISOString(),
          input: start?.input ?? null,
          costUsd: end?.costUsd ?? null,
          totalTokens: end ? end.usage.inputTokens + end.usage.outputTokens : null,
          ...(end?.error ? { error: `${end.error.code}: ${end.error.message}` } : {}),
        };
      }),
    read: async (id: string) => {
      const run = runs.find((each) => each.id === id);
      if (run === undefined) throw new Error(`There is no run ${id}.`);
      return run;
    },
  };
}

/** A tool of the desk that throws refuses nothing, so no task counts in which one does. */
function crashOf(events: readonly RunEvent[]): { failure?: string } {
  const crash = events.find(
    (event) => event.type === "tool-call-end" && event.text.startsWith("Error: The tool failed:"),
  );
  return crash?.type === "tool-call-end" ? { failure: `${crash.toolName}: ${crash.text}` } : {};
}

function isRepair(event: RunEvent): boolean {
  if (event.type !== "tool-call-end" || event.toolName !== "edit_workflow") return false;
  return !event.ok || hasErrors(event.output);
}

function hasErrors(output: Json): boolean {
  return isJsonObject(output) && Array.isArray(output["errors"]) && output["errors"].length > 0;
}
