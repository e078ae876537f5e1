import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import type { Memory } from "../../engine/memory/memory.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import type { Message } from "../../engine/model/message.ts";
import { buildWorkflow, type WorkflowSketch } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { memoryNodeOf, modelNodeOf } from "../../engine/testing/service-node.ts";
import type { RunEventType } from "../../engine/run/events.ts";
import { aiAgent } from "../agent/ai-agent.ts";
import { givenFile, recordingHost, type Use } from "./recording-host.ts";

/** What shows that a node of a role was really used. */
const shownBy: Record<AnyNodeDefinition["role"], RunEventType> = {
  trigger: "node-end",
  flow: "node-end",
  agent: "node-end",
  model: "model-request",
  memory: "memory-load",
  tool: "tool-call-start",
};

/** A conversation that reaches nothing, for agents under test. */
function plainMemory(): Memory {
  const kept: Message[] = [];
  return {
    defaultSession: "s",
    label: "plain",
    getMessages: async () => [...kept],
    addMessages: async (_session, messages) => void kept.push(...messages),
    clear: async () => void kept.splice(0),
  };
}

/** A value that fits a JSON Schema well enough for a tool to try it. */
function sampleFor(schema: Json, name = ""): Json {
  if (!isJsonObject(schema)) return "x";
  const [first] = [schema["enum"], schema["anyOf"], schema["oneOf"]].filter(Array.isArray);
  if (first !== undefined) return first === schema["enum"] ? (first[0] ?? null) : sampleFor(first[0] ?? null, name);
  if (schema["type"] === "object") {
    const entries = Object.entries(isJsonObject(schema["properties"]) ? schema["properties"] : {});
    return Object.fromEntries(entries.map(([key, inner]) => [key, sampleFor(inner, key)]));
  }
  if (schema["type"] === "array") return [sampleFor(schema["items"] ?? null)];
  if (schema["type"] === "integer" || schema["type"] === "number") return schema["minimum"] ?? 1;
  if (schema["type"] === "boolean") return false;
  return name === "url" ? "https://model.example.com/" : "1";
}

function argumentsFor(parameters: JsonObject): JsonObject {
  const values = sampleFor(parameters);
  if (!isJsonObject(values)) return {};
  // A request carries a body or a form.
  const { form: _form, ...rest } = values;
  return rest;
}

function sketchFor({ role, type }: AnyNodeDefinition, config: JsonObject): WorkflowSketch {
  const node: [string, JsonObject] = [type, config];
  const agent: WorkflowSketch = {
    nodes: { start: ["start"], agent: ["ai-agent"], model: ["scripted"], memory: ["plain"] },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "memory.memory -> agent.memory"],
  };
  switch (role) {
    case "trigger":
      return { nodes: { node } };
    case "flow":
      return { nodes: { start: ["start"], node }, edges: ["start.main -> node.main"] };
    case "agent":
      return {
        nodes: { ...agent.nodes, agent: node },
        edges: agent.edges ?? [],
      };
    case "model":
    case "memory":
      return { ...agent, nodes: { ...agent.nodes, [role]: node } };
    case "tool":
      return { nodes: { ...agent.nodes, node }, edges: [...(agent.edges ?? []), "node.tool -> agent.tools"] };
  }
}

/** What a node did in one run. */
export interface NodeTrial {
  uses: Use[];
  /** Whether it got as far as doing its work. */
  used: boolean;
}

/** Runs a node of any type with what it needs around it: tools are called, memories read and written, models asked. */
export async function useNode(definition: AnyNodeDefinition, config: JsonObject, input: Json): Promise<NodeTrial> {
  const uses: Use[] = [];
  let calls = 0;
  const model = scriptedModel(({ tools }) => {
    const tool = tools[calls++];
    return tool ? { calls: [{ name: tool.name, arguments: argumentsFor(tool.parameters) }] } : { text: "Done." };
  });
  const around = [startNode, aiAgent, modelNodeOf("scripted", model), memoryNodeOf("plain", plainMemory())];
  const registry = Object.fromEntries([...around, definition].map((each) => [each.type, each]));
  const run = await runToEnd(buildWorkflow(sketchFor(definition, config)), {
    registry,
    host: recordingHost(uses),
    input,
    files: [givenFile],
  });
  const texts = run.of("node-end").some(({ nodeId, untrusted }) => nodeId === "node" && untrusted !== undefined);
  if (definition.role === "trigger" && texts) uses.push({ through: "callers" });
  const shown = run.of(shownBy[definition.role]);
  const used = shown.some((event) => event.type !== "node-end" || event.nodeId === "node" || event.nodeId === "agent");
  return { uses, used: used || uses.length > 0 };
}
