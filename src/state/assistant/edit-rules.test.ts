import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { applyEdits } from "./apply-edits.ts";
import type { Edit } from "./edits.ts";

const base = buildWorkflow({
  nodes: {
    start: ["manual-trigger", {}, "Start"],
    get: ["http-request", { url: "https://api.example.com/orders/{{json.idd}}" }, "Order"],
    large: ["if", { condition: "{{json.amont > 100}}" }, "Large?"],
    person: ["set-fields", { fields: { queue: "person" } }, "For a person"],
    agent: ["ai-agent", { systemPrompt: "Refund only what was paid.", maxCostUsd: 1 }, "Agent"],
    memory: ["window-memory", { sessionId: "{{json.usr}}" }, "Memory"],
  },
  edges: ["start.main -> get.main", "get.main -> large.main", "large.true -> person.main"],
});

/** What edits come to once a run with such data was read; the words of the refusals, or none. */
function edited(...edits: Edit[]): string[] {
  const rules = {
    base,
    registry: nodeRegistry,
    said: "Why?",
    hasReadRun: true,
    runNames: new Set(["id", "user", "amount"]),
  };
  const applied = applyEdits(base, edits, { rules, newId: () => "new" });
  return applied.ok ? [] : applied.problems.map(({ code, message }) => `${code}: ${message}`);
}

it("S97 only a person lets something be done twice after a crash", () => {
  const rules = {
    base,
    registry: nodeRegistry,
    said: "Post the order",
    hasReadRun: false,
    runNames: new Set<string>(),
  };
  const tried = (config: JsonObject) => applyEdits(base, [set("order", config)], { rules, newId: () => "new" });
  expect(tried({ method: "POST", afterCrash: "repeat" })).toMatchObject({
    ok: false,
    problems: [{ message: '"Order" may not be made to ask less often.' }],
  });
  expect(tried({ method: "POST", afterCrash: "fail" })).toMatchObject({ ok: true });
});

const set = (node: string, config: JsonObject) => ({ op: "set" as const, node, config });

describe("S85 once a run was read", () => {
  it("names that templates lack are put right, also in an address, a decision and a session", () => {
    expect(edited(set("order", { url: "https://api.example.com/orders/{{json.id}}" }))).toEqual([]);
    expect(edited(set("large", { condition: "{{json.amount > 100}}" }))).toEqual([]);
    expect(edited(set("memory", { sessionId: "{{json.user}}" }))).toEqual([]);
  });

  it.each<[string, ReturnType<typeof set>, RegExp]>([
    ["an address leads to no other host", set("order", { url: "https://{{json.id}}/orders/" }), /says something new/],
    ["a request that reads does not write", set("order", { method: "POST" }), /did not do before/],
    ["a decision keeps its limit", set("large", { condition: "{{json.amount > 999}}" }), /says something new/],
    ["and its direction", set("large", { condition: "{{json.amount < 100}}" }), /says something new/],
    ["and is not made once for all", set("large", { condition: true }), /decides which way/],
    ["a value of the person stays", set("for_a_person", { fields: { queue: "agent" } }), /says something new/],
    ["a prompt keeps its sentences", set("agent", { systemPrompt: "Refund what was paid." }), /says something new/],
    ["and is not taken away", set("agent", { systemPrompt: null }), /says something new/],
    ["a budget is not raised", set("agent", { maxCostUsd: 9 }), /for the person to decide/],
    ["nor lifted", set("agent", { maxCostUsd: null }), /for the person to decide/],
    ["conversations are not shared", set("memory", { scope: "all" }), /for the person to decide/],
    ["nor joined", set("memory", { sessionId: "user" }), /says something new/],
  ])("%s", (_name, edit, message) => {
    expect(edited(edit)).toEqual([expect.stringMatching(message)]);
  });

  it("a decision is not gone around, and a title says nothing new", () => {
    expect(edited({ op: "disconnect", wire: "large.true>for_a_person.main" })).toEqual([
      'not_allowed: "Large?" decides which way is taken.',
    ]);
    expect(edited({ op: "rename", node: "agent", title: "Refund person" })).toEqual([
      'not_allowed: "Agent" may not be renamed now: no template calls for "Refund person".',
    ]);
  });
});
