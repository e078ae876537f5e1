import { describe, expect, it } from "vitest";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { collectRun, endOf, ofType, startedNodes } from "../../engine/testing/collect-run.ts";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { nodeRegistry } from "../index.ts";

const run = (document: WorkflowDocument, input: Json = {}): Promise<RunEvent[]> =>
  collectRun(document, input, { registry: nodeRegistry });

/** trigger → node → one `set-fields` per output, named after it. */
function fork(type: string, config: JsonObject, ports: readonly string[]): WorkflowDocument {
  return sampleDocument(
    { start: "manual-trigger", node: [type, config], ...Object.fromEntries(ports.map((port) => [port, "set-fields"])) },
    ["start>node", ...ports.map((port) => `node.${port}>${port}`)],
    nodeRegistry,
  );
}

const skipped = (events: readonly RunEvent[]) => ofType(events, "node-skip").map(({ nodeId }) => nodeId);

describe("a failing node that lets the run go on", () => {
  it("if takes the way for what is not true, with { error }", async () => {
    const events = await run(fork("if", { condition: "{{json.no > 1}}", onError: "continue" }, ["true", "false"]));
    expect(startedNodes(events)).toEqual(["start", "node", "false"]);
    expect(endOf(events).output).toMatchObject({ error: { code: "expression_error", nodeId: "node" } });
  });

  it("switch takes the way for everything else", async () => {
    const events = await run(fork("switch", { value: "{{json.no}}", onError: "continue" }, ["case1", "default"]));
    expect(startedNodes(events)).toEqual(["start", "node", "default"]);
  });

  it("for-each goes on after its items, whether its list or one of its items is at fault", async () => {
    const document = fork("for-each", { items: "{{json.list}}", onError: "continue" }, ["main", "done"]);
    const noList = await run(document, { list: 5 });
    expect(startedNodes(noList)).toEqual(["start", "node", "done"]);
    expect(skipped(noList)).toEqual(["main"]);
    expect(endOf(noList).output).toMatchObject({ error: { code: "invalid_config" } });

    if (document.nodes.main) document.nodes.main.config = { fields: { a: "{{json.a}}" } };
    const badItem = await run(document, { list: [{ b: 1 }] });
    expect(startedNodes(badItem)).toEqual(["start", "node", "main", "done"]);
    expect(skipped(badItem)).toEqual([]);
    expect(endOf(badItem).output).toMatchObject({ error: { code: "expression_error", nodeId: "main" } });
  });
});

describe("a turned-off node", () => {
  it("for-each hands its input to what follows the items", async () => {
    const document = fork("for-each", { items: "{{json.list}}" }, ["main", "done"]);
    if (document.nodes.node) document.nodes.node.disabled = true;
    const events = await run(document, { list: [1] });
    expect(startedNodes(events)).toEqual(["start", "done"]);
    expect(skipped(events)).toEqual(["node", "main"]);
    expect(endOf(events).output).toEqual({ list: [1] });
  });
});
