import { z } from "zod/mini";
import { field } from "../config/field.ts";
import { defineNode, type NodeRegistry } from "../document/define-node.ts";
import { many, maybe, one, out } from "../document/ports.ts";
import { nowhere } from "../document/reach.ts";
import { newDocument, newNode } from "../document/new-document.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Json, JsonObject } from "../json.ts";
import { RunError } from "../errors.ts";

const text = (label: string, value = "") =>
  field(z._default(z.string(), value), { label, help: "For tests.", template: "text" });

const shared = { version: 1, summary: "For tests.", icon: "box", reach: nowhere } as const;

/** Gives the run's input. */
export const startNode = defineNode({
  ...shared,
  type: "start",
  role: "trigger",
  startedBy: "hand",
  title: "Start",
  config: z.object({}),
  inputs: {},
  outputs: { main: out("main") },
  run: ({ json }) => json,
});

/** Gives its `value` field, or its input while that is empty; `fail` makes it fail, `pause` waits that many ms. */
export const stepNode = defineNode({
  ...shared,
  type: "step",
  role: "flow",
  title: "Step",
  config: z.object({
    value: field(z.optional(z.unknown()), { label: "Value", help: "For tests.", template: "value" }),
    fail: text("Fail"),
    pause: field(z._default(z.number().check(z.minimum(0)), 0), { label: "Pause", help: "Milliseconds." }),
    onError: field(z._default(z.enum(["fail", "continue"]), "fail"), { label: "On error", help: "For tests." }),
  }),
  inputs: { main: one("main") },
  outputs: { main: out("main") },
  async run({ config, json, host, signal }): Promise<Json> {
    if (config.pause > 0) await host.sleep(config.pause, signal);
    if (config.fail !== "") throw new RunError({ code: "internal", message: config.fail, hint: "Expected by a test." });
    return config.value === undefined ? json : z.json().parse(config.value);
  },
});

/** Fires `yes` or `no` by its `test` field. */
const forkNode = defineNode({
  ...shared,
  type: "fork",
  role: "flow",
  title: "Fork",
  config: z.object({
    test: field(z._default(z.boolean(), true), { label: "Test", help: "For tests.", template: "value" }),
  }),
  inputs: { main: one("main") },
  outputs: { yes: out("main"), no: out("main") },
  run: ({ config, json }) => (config.test ? { yes: json } : { no: json }),
});

/** Gives the list of all inputs that arrived; with `first`, starts at the first one. */
const joinNode = defineNode({
  ...shared,
  type: "join",
  role: "flow",
  title: "Join",
  config: z.object({ first: field(z._default(z.boolean(), false), { label: "First", help: "For tests." }) }),
  inputs: { main: many("main") },
  outputs: { main: out("main") },
  startsWhen: (config: JsonObject) => (config.first === true ? "first" : "all"),
  run: ({ inputs }) => inputs.main,
});

/** Runs its `main` branch per item, one after the other, and gives the list of results on `done`. */
export const eachNode = defineNode({
  ...shared,
  type: "each",
  role: "flow",
  title: "Each",
  config: z.object({}),
  inputs: { main: one("main") },
  outputs: { main: out("main"), done: out("main") },
  branches: ["main"],
  async run({ json, runBranch }) {
    const results: Json[] = [];
    for (const [index, item] of (Array.isArray(json) ? json : []).entries()) {
      results.push(await runBranch("main", item, index));
    }
    return { done: results };
  },
});

/** A model that is never called. */
const modelNode = defineNode({
  ...shared,
  type: "test-model",
  role: "model",
  title: "Model",
  config: z.object({ model: text("Model", "test") }),
  inputs: {},
  outputs: { model: out("model", { label: "Model" }) },
  run: ({ config }) => ({
    provider: "test",
    modelId: config.model,
    capabilities: { tools: true, vision: false, streaming: true, json: true, reasoning: false },
    settings: {},
    async *stream() {},
  }),
});

/** A memory that forgets. */
const memoryNode = defineNode({
  ...shared,
  type: "test-memory",
  role: "memory",
  keepsAt: () => null,
  title: "Memory",
  config: z.object({ sessionId: text("Session", "{{json.sessionId}}") }),
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory" }) },
  run: ({ config }) => ({
    defaultSession: config.sessionId,
    label: "test",
    getMessages: async () => [],
    addMessages: async () => {},
    clear: async () => {},
  }),
});

/** A tool that gives back its filled `query` field. */
const toolNode = defineNode({
  ...shared,
  type: "test-tool",
  role: "tool",
  title: "Tool",
  config: z.object({
    toolName: field(z._default(z.string(), "search"), { label: "Tool name", help: "For tests.", required: true }),
    query: field(z._default(z.string(), '{{ai("query","what to look for","string")}}'), {
      label: "Query",
      help: "For tests.",
      template: "text",
      ai: true,
    }),
  }),
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool" }) },
  toolName: (node) => (typeof node.config.toolName === "string" ? node.config.toolName : "search"),
  run: ({ config, ai }) => ({
    tools: [
      {
        name: config.toolName,
        description: "For tests.",
        parameters: ai.parameters,
        execute: async (input) => ({ ok: true, output: ai.bind(input).query }),
      },
    ],
  }),
});

/** Tells what is wired to it: the model's id, the memory's session, its tools' names, its message. */
const agentNode = defineNode({
  ...shared,
  type: "agent",
  role: "agent",
  title: "Agent",
  config: z.object({
    message: field(z._default(z.string(), "{{json.message}}"), {
      label: "Message",
      help: "For tests.",
      template: "text",
      required: true,
    }),
  }),
  inputs: {
    main: maybe("main"),
    model: one("model", { label: "Model" }),
    memory: maybe("memory", { label: "Memory" }),
    tools: many("tool", { label: "Tools" }),
  },
  outputs: { main: out("main"), tool: out("tool", { label: "Tool" }) },
  run({ config, configFor, inputs, wanted, emitWithin, node }) {
    if (wanted === "tool") {
      return {
        tool: {
          tools: [
            {
              name: "ask_agent",
              description: "For tests.",
              parameters: { type: "object" },
              execute: async (input, { callId }) => {
                emitWithin(callId, { type: "log", nodeId: node.id, level: "info", message: "called" });
                return { ok: true, output: configFor(input).message };
              },
            },
          ],
        },
      };
    }
    return {
      main: {
        message: config.message,
        model: inputs.model.value.modelId,
        session: inputs.memory?.value.defaultSession ?? null,
        tools: inputs.tools.flatMap((wired) => wired.value.tools.map((tool) => tool.name)),
      },
    };
  },
});

/** All sample node types. */
export const sampleRegistry: NodeRegistry = Object.fromEntries(
  [startNode, stepNode, forkNode, joinNode, eachNode, modelNode, memoryNode, toolNode, agentNode].map((definition) => [
    definition.type,
    definition,
  ]),
);

/**
 * A document in short hand: `nodes` gives type or [type, config] by id (the title is the id), `edges` are
 * `"from.port>to.port"` where `.main` may be left out.
 */
export function sampleDocument(
  nodes: Record<string, string | [string, JsonObject]>,
  edges: readonly string[],
  registry: NodeRegistry = sampleRegistry,
): WorkflowDocument {
  const document = newDocument("test-workflow", "Test");
  for (const [id, entry] of Object.entries(nodes)) {
    const [type, config] = typeof entry === "string" ? [entry, {}] : entry;
    const definition = registry[type];
    document.nodes[id] = definition
      ? newNode(definition, { id, title: id, position: { x: 0, y: 0 }, config })
      : { id, type, version: 1, title: id, position: { x: 0, y: 0 }, config };
  }
  for (const [index, edge] of edges.entries()) {
    const [from, to] = edge.split(">").map((end) => {
      const [node = "", port = "main"] = end.split(".");
      return { node, port };
    });
    if (!from || !to) throw new Error(`"${edge}" is not an edge.`);
    document.edges[`e${index}`] = { id: `e${index}`, from, to };
  }
  return document;
}
