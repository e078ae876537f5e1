import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { field } from "../../config/field.ts";
import { defineNode } from "../../document/define-node.ts";
import { one, out } from "../../document/ports.ts";
import { nowhere } from "../../document/reach.ts";
import type { NodeRecord, WorkflowDocument } from "../../document/workflow-document.ts";
import type { JsonObject } from "../../json.ts";
import { maskDocument } from "./mask-document.ts";

const start = defineNode({
  type: "start",
  version: 1,
  role: "trigger",
  startedBy: "hand",
  title: "Start",
  summary: "",
  icon: "play",
  config: z.object({ input: field(z.json(), { label: "Input", help: "", control: "json" }) }),
  inputs: {},
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  run: ({ json }) => json,
});

const send = defineNode({
  type: "send",
  version: 1,
  role: "flow",
  title: "Send",
  summary: "",
  icon: "box",
  config: z.object({
    text: field(z.string(), { label: "Text", help: "", control: "textarea" }),
    order: field(z.enum(["asc", "desc"]), { label: "Order", help: "" }),
    credential: field(z.string(), { label: "Credential", help: "", control: "credential" }),
    rows: field(z.array(z.object({ name: z.string(), value: z.string() })), { label: "Rows", help: "" }),
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  run: ({ json }) => json,
});

const registry = { start, send };

function documentOf(
  nodes: Record<string, Partial<NodeRecord> & { type: string; config: JsonObject }>,
): WorkflowDocument {
  const whole = Object.entries(nodes).map(([id, node]) => [
    id,
    { id, version: 1, title: id, position: { x: 0, y: 0 }, ...node },
  ]);
  return { schemaVersion: 1, id: "w", name: "W", nodes: Object.fromEntries(whole), edges: {} };
}

const privacy = { mask: ["emails" as const], patterns: ["desc", "name", "json", "vault-[0-9]+"] };

describe("the workflow that is kept with a masked run", () => {
  it("has no pinned output, typed input, variable, note or prompt with what is to be masked", () => {
    const document = {
      ...documentOf({
        start: { type: "start", config: { input: { to: "ada@example.org", name: "Ada" } } },
        send: {
          type: "send",
          config: { text: "Write to ada@example.org", order: "asc", credential: "c1", rows: [] },
          notes: "Ask ada@example.org",
          pin: { output: ["ada@example.org", { deep: "vault-7" }] },
        },
        gone: { type: "gone", config: { secret: "vault-12" } },
      }),
      description: "By ada@example.org",
      vars: { boss: "ada@example.org" },
    };
    const before = structuredClone(document);
    const masked = maskDocument(document, privacy, registry);
    expect(JSON.stringify(masked)).not.toMatch(/ada@|vault-/);
    expect(masked.nodes["send"]?.pin).toEqual({ output: ["[email]", { deep: "[masked]" }] });
    expect(masked.nodes["start"]?.config).toEqual({ input: { to: "[email]", "[masked]": "Ada" } });
    expect(masked.vars).toEqual({ boss: "[email]" });
    expect(document).toEqual(before);
  });

  it("can still be run: choices, credentials, names of settings and templates stay", () => {
    const config = {
      text: "Tell {{json.name}} of {{'ada@example.org'}} by name",
      order: "desc",
      credential: "vault-12",
      rows: [{ name: "a", value: "vault-1" }],
    };
    const masked = maskDocument(documentOf({ send: { type: "send", config } }), privacy, registry);
    expect(masked.nodes["send"]?.config).toEqual({
      text: "Tell {{json.name}} of {{'[email]'}} by [masked]",
      order: "desc",
      credential: "vault-12",
      rows: [{ name: "a", value: "[masked]" }],
    });
  });

  it("has no words for the model with what is to be masked, nor a default, whatever quotes and braces stand in them", () => {
    const texts = {
      'Order {{ai("name", "As in \\"vault-7\\", not {{json}}", "string")}}':
        'Order {{ai("name", "As in \\"[masked]\\", not {{[masked]}}", "string")}}',
      "{{ai('desc', r'vault-7 \\d', 'object', {'a': ['vault-1', 4111111111111111]}) + json.name}}":
        "{{ai('desc', \"[masked] \\\\d\", 'object', {'a': [\"[masked]\", \"[card]\"]}) + json.name}}",
      '{{ai("a", "vault-1") + ai("b", "vault-2", "string", "vault-3")}} {{json.name}}':
        '{{ai("a", "[masked]") + ai("b", "[masked]", "string", "[masked]")}} {{json.name}}',
      '{{ai("a", "vault-1"}} {{json["vault-1"] == "vault-2"}}':
        '{{ai("a", "vault-1"}} {{json["vault-1"] == "vault-2"}}',
    };
    const strict = { ...privacy, mask: ["emails" as const, "cards" as const] };
    for (const [before, after] of Object.entries(texts)) {
      const config = { text: before, order: "asc", credential: "", rows: [] };
      const masked = maskDocument(documentOf({ send: { type: "send", config } }), strict, registry);
      expect(masked.nodes["send"]?.config["text"]).toBe(after);
    }
  });

  it("takes time in line with the length of a prompt, also of one whose templates are not closed", () => {
    const open = "{{".repeat(300_000);
    const config = { text: `${open} ada@example.org`, order: "asc", credential: "", rows: [] };
    const masked = maskDocument(documentOf({ send: { type: "send", config } }), privacy, registry);
    expect(masked.nodes["send"]?.config["text"]).toBe(`${open} [email]`);
  });
});
