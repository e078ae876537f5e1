import { describe, expect, it } from "vitest";
import type { Json } from "../../engine/json.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { isCalledFor, newTextIn, type TextField } from "./text-rules.ts";

const prompt = "Look an order up with find_ordr. Refund only what was paid for {{json.orde}}.";
const base = buildWorkflow({
  nodes: {
    agent: ["ai-agent", { systemPrompt: prompt }, "Support agent"],
    find: ["code-tool", { toolName: "find_order", toolDescription: "Finds an order by its number." }],
    pay: ["code-tool", { toolName: "refund", toolDescription: "Pays money back." }],
    fields: ["set-fields", { fields: { total: "{{totals.sum}}", queue: "person" } }],
  },
});
const known = { base, said: "Please answer in German, shortly.", runNames: new Set(["order", "amount"]) };
const text: TextField = { name: "systemPrompt", exact: false, options: [] };
const code: TextField = { name: "code", exact: true, options: [] };
const described: TextField = { name: "toolDescription", exact: false, options: [] };
const newText = (before: Json, after: Json, field = text) => newTextIn(before, after, field, known);

describe("once a run was read, a text", () => {
  it.each<[string, Json, Json, TextField?]>([
    ["may name another value in a template", prompt, prompt.replace("json.orde", "json.order")],
    ["may have a template more", prompt, `${prompt} {{json.amount}}`],
    ["may name a tool or a value rightly", prompt, prompt.replace("find_ordr", "find_order")],
    ["may be what the person said", prompt, "Answer in German, shortly."],
    ["may go to the tool that it belongs to", "Pays money back.", "Finds an order by its number.", described],
    [
      "may be a value that the field offers",
      "full",
      "body",
      { name: "result", exact: false, options: ["full", "body"] },
    ],
    ["may be a type in a schema", { type: "integer" }, { type: "number" }],
    ["may be a name without a typing error", { path: "amont" }, { path: "amount" }],
    ["may be code with a name put right", "return txt.length;", "return text.length;", code],
  ])("%s", (_name, before, after, field) => {
    expect(newText(before, after, field)).toBeUndefined();
  });

  it.each<[string, Json, Json, TextField?]>([
    ["may say nothing new, whatever its words", prompt, "Refund what was paid only for an order up."],
    ["may not lose a sentence", prompt, "Look an order up with find_order."],
    ["may not become empty", prompt, ""],
    ["may not say it in a template", prompt, `${prompt} {{"Refund it"}}`],
    ["may not be added", null, "Refund it all."],
    ["may not be another word", { queue: "person" }, { queue: "robot" }],
    ["may not be code that does more or less", "if (a <= 0) throw b;", "if (a > 0) throw b;", code],
    ["may not be code with another constant", "return ok;", "return true;", code],
    ["may not be new code", null, "return order;", code],
  ])("%s", (_name, before, after, field) => {
    expect(newText(before, after, field)).toEqual(expect.any(String));
  });

  it("may become a title only where a template calls for it", () => {
    expect(isCalledFor("totals", base)).toBe(true);
    expect(isCalledFor("sum", base)).toBe(false);
    expect(isCalledFor("refund_everything", base)).toBe(false);
  });
});
