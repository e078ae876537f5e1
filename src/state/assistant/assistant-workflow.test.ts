import { describe, expect, it } from "vitest";
import { newDocument } from "../../engine/document/new-document.ts";
import { validateWorkflow } from "../../engine/document/validate.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { approveRefunds } from "../../features/library/templates/approve-refunds.ts";
import { assistantDocument } from "./assistant-workflow.ts";
import { canAssist } from "./can-assist.ts";
import { Desk, type DeskState } from "./desk.ts";
import { deskTools } from "./desk-tools.ts";

/** One request to the assistant on its demo model, about `document`. */
async function request(document: WorkflowDocument, message: string) {
  let state: DeskState = { proposal: null, verdict: null };
  const host = testHost();
  const desk = new Desk({
    registry: nodeRegistry,
    newId: host.newId,
    document: () => document,
    runs: { list: async () => [], read: () => Promise.reject(new Error("There is no such run.")) },
    onChange: (next) => (state = next),
  });
  desk.beginRequest(message);
  const events: RunEvent[] = [];
  const run = runWorkflow(assistantDocument("assistant"), {
    registry: nodeRegistry,
    host: { ...host, studio: () => ({ tools: deskTools(desk) }) },
    input: { message, sessionId: "s" },
    signal: new AbortController().signal,
  });
  for await (const event of run) events.push(event);
  return { events, state, end: events.findLast((event) => event.type === "run-end") };
}

describe("the assistant's own workflow", () => {
  it("is valid, and known by its tools", () => {
    const document = assistantDocument("a");
    expect(validateWorkflow(document, nodeRegistry)).toEqual([]);
    expect(canAssist(document)).toBe(true);
    expect(canAssist(approveRefunds.build("w"))).toBe(false);
  });

  it("tells its model how templates are written", async () => {
    const { events } = await request(newDocument("w", "New"), "Build an agent");
    const asked = events.find((event) => event.type === "model-request");
    expect(asked?.type === "model-request" && JSON.stringify(asked.messages[0])).toContain("{{json.message}}");
  });

  it("gives a tour on the demo model that ends with a valid proposal", async () => {
    const { end, state } = await request(newDocument("w", "New"), "Build an agent");
    expect(end?.outcome).toBe("completed");
    expect(JSON.stringify(end?.output)).toContain("scripted tour");
    expect(state.proposal?.problems).toEqual([]);
    expect(state.proposal?.changes).toHaveLength(9);
  });

  it("gives the agent on the demo model the description, and the tools that its words name", async () => {
    const described = "Read the news on a {{web}} page and add up the prices";
    const { end, state } = await request(newDocument("w", "New"), described);
    expect(state.proposal?.problems).toEqual([]);
    const added = Object.values(state.proposal?.draft.nodes ?? {});
    expect(added.map(({ type }) => type)).toEqual(expect.arrayContaining(["calculator-tool", "http-request-tool"]));
    const agent = added.find(({ type }) => type === "ai-agent");
    expect(agent?.config["systemPrompt"]).toContain("Read the news on a web page and add up the prices");
    expect(JSON.stringify(end?.output)).toContain("calculates and reads web addresses");
  });

  it("explains a workflow on the demo model without changing it", async () => {
    const { end, state } = await request(approveRefunds.build("w"), "What does this workflow do?");
    expect(JSON.stringify(end?.output)).toContain("Support agent");
    expect(state.proposal).toBeNull();
  });

  it("says where its tools work when it is run like another workflow", async () => {
    const run = runWorkflow(assistantDocument("assistant"), {
      registry: nodeRegistry,
      host: testHost(),
      input: { message: "Hi", sessionId: "s" },
      signal: new AbortController().signal,
    });
    const events: RunEvent[] = [];
    for await (const event of run) events.push(event);
    expect(events.findLast((event) => event.type === "run-end")?.error?.message).toBe(
      "The studio's tools work only in the assistant.",
    );
  });
});
