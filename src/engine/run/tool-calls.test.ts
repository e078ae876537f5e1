import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { defineNode } from "../document/define-node.ts";
import { many, one, out } from "../document/ports.ts";
import { nowhere } from "../document/reach.ts";
import type { Json } from "../json.ts";
import { collectRun, endOf, ofType } from "../testing/collect-run.ts";
import { quietCall } from "../testing/quiet-call.ts";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";

/** Calls every tool once with the same arguments and gives the results. */
const caller = defineNode({
  type: "caller",
  version: 1,
  role: "flow",
  title: "Caller",
  summary: "For tests.",
  icon: "box",
  config: z.object({}),
  inputs: { main: one("main"), tools: many("tool") },
  outputs: { main: out("main") },
  reach: nowhere,
  async run({ inputs, signal, json, log }): Promise<Json> {
    const results: Json[] = [];
    for (const [index, tool] of inputs.tools.flatMap((wired) => wired.value.tools).entries()) {
      const context = quietCall(signal, { callId: `call-${index}`, log: (message) => log("info", message) });
      const input = z.record(z.string(), z.json()).parse(json);
      const result = await tool.execute(input, context);
      results.push({ parameters: tool.parameters, result: result.ok ? result.output : result.error.message });
    }
    return results;
  },
});

const registry = { ...sampleRegistry, caller };

describe("tools in a run", () => {
  it("resolve their config with the consumer's input and fill in the model's part per call", async () => {
    const query = '{{json.area}}: {{ai("query","what to look for","string")}}';
    const document = sampleDocument(
      { start: "start", caller: "caller", tool: ["test-tool", { query }] },
      ["start>caller", "tool.tool>caller.tools"],
      registry,
    );
    const events = await collectRun(document, { area: "books", query: "{{json.area}}" }, { registry });
    expect(endOf(events).output).toEqual([
      {
        parameters: {
          type: "object",
          properties: { query: { type: "string", description: "what to look for" } },
          required: ["query"],
          additionalProperties: false,
        },
        result: "books: {{json.area}}",
      },
    ]);
  });

  it("an agent as a tool reads its config per call, and its events stand under the call", async () => {
    const document = sampleDocument(
      { start: "start", caller: "caller", helper: ["agent", { message: "{{json.query}}" }], model: "test-model" },
      ["start>caller", "helper.tool>caller.tools", "model.model>helper.model"],
      registry,
    );
    const events = await collectRun(document, { query: "asked" }, { registry });
    expect(endOf(events).output).toMatchObject([{ result: "asked" }]);
    expect(ofType(events, "log")).toMatchObject([{ nodeId: "helper", parentCallId: "call-0" }]);
  });

  it("name the service that fails, and fail the node that needs it", async () => {
    const document = sampleDocument(
      { start: "start", agent: "agent", model: ["test-model", { model: "{{json.modl}}" }] },
      ["start>agent", "model.model>agent.model"],
    );
    const events = await collectRun(document, { message: "hi", model: "m" });
    expect(ofType(events, "node-error")).toMatchObject([
      { nodeId: "agent", error: { code: "expression_error", nodeId: "model", hint: 'Did you mean "model"?' } },
    ]);
  });
});
