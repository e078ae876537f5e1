import { describe, expect, it } from "vitest";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { approveRefunds } from "../../features/library/templates/approve-refunds.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { applyEdits } from "./apply-edits.ts";
import { applyChanges, type Change, listChanges, withDependent, withNeeded } from "./changes.ts";
import { changeText, summaryOf } from "./change-text.ts";
import type { Edit } from "./edits.ts";
import { placeAdded } from "../editing/place-added.ts";

function draftOf(base: WorkflowDocument, edits: readonly Edit[]): WorkflowDocument {
  let ids = 0;
  const rules = { base, registry: nodeRegistry, said: "", hasReadRun: false, runNames: new Set<string>() };
  const applied = applyEdits(base, edits, { rules, newId: () => `new-${(ids += 1)}` });
  if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
  return applied.document;
}

const edits: readonly Edit[] = [
  { op: "add", node: "call", type: "http-request-tool", config: { url: "https://api.example.com/orders" } },
  { op: "connect", wire: "call.tool>support_agent.tools" },
  { op: "set", node: "support_agent", config: { maxIterations: 4 } },
  { op: "rename", node: "refund", title: "Pay back" },
  { op: "delete", node: "find_an_order" },
  { op: "replace", node: "demo_model", type: "openai-model" },
];

const base = approveRefunds.build("w");
const draft = draftOf(base, edits);
const changes = listChanges(base, draft, nodeRegistry);
const some = (...kinds: Change["kind"][]) => changes.filter(({ kind }) => kinds.includes(kind));

describe("what is proposed", () => {
  it("is said from the difference alone", () => {
    expect(summaryOf(changes)).toBe(
      "Adds 1 node, removes 1 node, replaces 1 node, renames 1 node, changes 1 setting, makes 1 connection and removes 1 connection.",
    );
    expect(summaryOf([])).toBe("No changes.");
    const words = changes.map((change) => changeText(change, { base, draft, registry: nodeRegistry }));
    expect(words.map(({ title }) => title)).toEqual([
      "Remove Find an order",
      "Support agent: Iteration limit",
      "Replace Demo model with Demo model (OpenAI)",
      "Rename Refund to Pay back",
      "Add Call (HTTP request)",
      "Connect Call to Support agent as its tool",
      "Disconnect Find an order from Support agent",
    ]);
    expect(words[4]?.reaches).toBe("It sends GET requests to api.example.com/orders.");
    expect(words[1]).toMatchObject({ after: "4" });
  });

  it("makes the draft when all of it is accepted", () => {
    const applied = applyChanges(base, changes, nodeRegistry);
    expect(applied.ok && listChanges(applied.document, draft, nodeRegistry)).toEqual([]);
  });

  it("can be accepted in parts, each with what it needs", () => {
    const [wire] = some("connect");
    const needed = withNeeded(changes, new Set([wire?.id ?? ""]));
    expect(changes.filter(({ id }) => needed.has(id)).map(({ kind }) => kind)).toEqual(["add", "connect"]);
    const applied = applyChanges(
      base,
      changes.filter(({ id }) => needed.has(id)),
      nodeRegistry,
    );
    expect(applied.ok && Object.keys(applied.document.nodes).length).toBe(Object.keys(base.nodes).length + 1);
  });

  it("loses what needs a part that is rejected", () => {
    const [node] = some("add");
    expect(
      changes.filter(({ id }) => withDependent(changes, new Set([node?.id ?? ""])).has(id)).map(({ kind }) => kind),
    ).toEqual(["add", "connect"]);
  });

  it("is made to the workflow as it is now, whatever else was changed", () => {
    const meanwhile = draftOf(base, [{ op: "set", node: "refund", config: { toolDescription: "Pays back." } }]);
    const applied = applyChanges(meanwhile, some("add", "connect", "set"), nodeRegistry);
    expect(applied.ok && applied.document.nodes["refund"]?.config["toolDescription"]).toBe("Pays back.");
  });

  it.each<[string, Edit]>([
    ["a setting", { op: "set", node: "support_agent", config: { maxIterations: 9 } }],
    ["a title", { op: "rename", node: "refund", title: "Return" }],
    ["a removed node", { op: "set", node: "find_an_order", config: { toolDescription: "Finds." } }],
    ["a replaced node", { op: "delete", node: "demo_model" }],
  ])("is refused as a whole where %s was changed meanwhile", (_name, edit) => {
    const meanwhile = draftOf(base, [edit]);
    const before = structuredClone(meanwhile);
    const applied = applyChanges(meanwhile, changes, nodeRegistry);
    expect(applied.ok).toBe(false);
    expect(!applied.ok && applied.stale.length).toBe(1);
    expect(meanwhile).toEqual(before);
  });
});

describe("new nodes", () => {
  it("get a place of their own, and the others keep theirs", async () => {
    const placed = await placeAdded(base, draft, nodeRegistry);
    for (const [id, node] of Object.entries(placed.nodes))
      if (base.nodes[id]) expect(node.position).toEqual(base.nodes[id].position);
    const places = Object.values(placed.nodes).map(({ position }) => `${position.x},${position.y}`);
    expect(new Set(places).size).toBe(places.length);
    expect(Object.keys(placed.nodes)).toEqual(Object.keys(draft.nodes));
  });
});
