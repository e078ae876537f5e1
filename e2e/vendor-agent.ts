import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { JsonObject } from "../src/engine/json.ts";
import type { WorkflowDocument } from "../src/engine/document/workflow-document.ts";
import { canvasReady, importWorkflow } from "./fixtures.ts";
import { type Guest, signInAsGuest } from "./guest.ts";

/** A workflow in few words: edges as `node.port` pairs. */
export interface Sketch {
  nodes: Record<string, { type: string; title: string; config?: JsonObject; position?: { x: number; y: number } }>;
  edges: [string, string][];
}

function documentOf(name: string, { nodes, edges }: Sketch): WorkflowDocument {
  return {
    schemaVersion: 1,
    id: randomUUID(),
    name,
    nodes: Object.fromEntries(
      Object.entries(nodes).map(([id, { config = {}, ...node }], index) => [
        id,
        { id, version: 1, position: { x: index * 280, y: (index % 2) * 180 }, config, ...node },
      ]),
    ),
    edges: Object.fromEntries(
      edges.map(([from, to], index) => {
        const [fromNode = "", fromPort = ""] = from.split(".");
        const [toNode = "", toPort = ""] = to.split(".");
        const id = `e${index}`;
        return [id, { id, from: { node: fromNode, port: fromPort }, to: { node: toNode, port: toPort } }];
      }),
    ),
  };
}

/** Imports a workflow as a file, the way a user would, and opens it. */
export async function importSketch(page: Page, name: string, sketch: Sketch): Promise<void> {
  await importWorkflow(page, documentOf(name, sketch));
}

/** Enters as a new guest who has this workflow, and waits for its canvas. */
export async function enterWithSketch(page: Page, name: string, sketch: Sketch): Promise<Guest> {
  const guest = await signInAsGuest(page);
  await page.goto(await guest.addressOf(documentOf(name, sketch)));
  await canvasReady(page);
  return guest;
}

const vendorAgent = (credential: string): Sketch => ({
  nodes: {
    chat: { type: "chat-trigger", title: "Chat" },
    agent: { type: "ai-agent", title: "Agent" },
    model: { type: "openai-compatible-model", title: "Model", config: { model: "gpt-4o-mini", credential } },
    memory: { type: "window-memory", title: "Memory" },
  },
  edges: [
    ["chat.main", "agent.main"],
    ["model.model", "agent.model"],
    ["memory.memory", "agent.memory"],
  ],
});

/** The agent's settings, and whether it has a calculator. */
interface AgentOptions {
  config?: JsonObject;
  /** Of its model node, besides credential and name. */
  model?: JsonObject;
  calculator?: boolean;
  /** Whether its answer leaves the workflow as a Markdown file. */
  answersAsFile?: boolean;
  /** Of the calculator. */
  tool?: JsonObject;
  /** Other tools, by their ids. */
  tools?: Sketch["nodes"];
}

function withOptions(
  sketch: Sketch,
  {
    config = {},
    model = {},
    calculator = false,
    answersAsFile = false,
    tool: toolConfig = {},
    tools = {},
  }: AgentOptions,
): Sketch {
  const made: Sketch = answersAsFile
    ? {
        nodes: {
          file: {
            type: "make-file",
            title: "Make a file",
            config: { format: "markdown", name: "answer", content: "{{json.response}}" },
          },
        },
        edges: [["agent.main", "file.main"]],
      }
    : { nodes: {}, edges: [] };
  const ofTools = Object.keys(tools).map((id): [string, string] => [`${id}.tool`, "agent.tools"]);
  const edges = [...sketch.edges, ...made.edges, ...ofTools];
  const agent = { type: "ai-agent", title: "Agent", config };
  const nodes = Object.fromEntries(
    Object.entries({ ...sketch.nodes, ...made.nodes }).map(([id, node]) => [
      id,
      id === "model" ? { ...node, config: { ...node.config, ...model } } : node,
    ]),
  );
  if (!calculator) return { nodes: { ...nodes, ...tools, agent }, edges };
  const tool = { type: "calculator-tool", title: "Calculator", config: toolConfig };
  return { nodes: { ...nodes, ...tools, agent, tool }, edges: [...edges, ["tool.tool", "agent.tools"]] };
}

/** Opens an agent with memory on the loopback vendor, its chat ready. */
export async function openVendorAgent(
  page: Page,
  baseUrl: string,
  key: string,
  options: AgentOptions = {},
): Promise<void> {
  const guest = await signInAsGuest(page);
  const credential = await guest.credentialFor(baseUrl, { apiKey: key });
  const agent = documentOf("Vendor agent", withOptions(vendorAgent(credential), options));
  await page.goto(await guest.addressOf(agent));
  await canvasReady(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
}
