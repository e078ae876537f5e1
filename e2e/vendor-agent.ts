import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { chooseCredential, enterAsGuest, expect, importWorkflow, makeCredential } from "./fixtures.ts";

/** A workflow in few words: edges as `node.port` pairs. */
export interface Sketch {
  nodes: Record<string, { type: string; title: string; config?: object; position?: { x: number; y: number } }>;
  edges: [string, string][];
}

/** Imports a workflow as a file, the way a user would, and opens it. */
export async function importSketch(page: Page, name: string, { nodes, edges }: Sketch): Promise<void> {
  const document = {
    schemaVersion: 1,
    id: randomUUID(),
    name,
    nodes: Object.fromEntries(
      Object.entries(nodes).map(([id, node], index) => [
        id,
        { id, version: 1, position: { x: index * 280, y: (index % 2) * 180 }, config: {}, ...node },
      ]),
    ),
    edges: Object.fromEntries(
      edges.map(([from, to], index) => {
        const [fromNode, fromPort] = from.split(".");
        const [toNode, toPort] = to.split(".");
        const id = `e${index}`;
        return [id, { id, from: { node: fromNode, port: fromPort }, to: { node: toNode, port: toPort } }];
      }),
    ),
  };
  await importWorkflow(page, document);
}

/** A credential for the loopback vendor. */
async function makeVendorCredential(page: Page, baseUrl: string, key: string): Promise<void> {
  await page.goto("/credentials");
  await makeCredential(page, /^OpenAI-compatible/, [
    [/^Name/, "Vendor"],
    [/Base URL/, baseUrl],
    [/API key/, key],
  ]);
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.goto("/");
}

const vendorAgent: Sketch = {
  nodes: {
    chat: { type: "chat-trigger", title: "Chat" },
    agent: { type: "ai-agent", title: "Agent" },
    model: { type: "openai-compatible-model", title: "Model", config: { model: "gpt-4o-mini" } },
    memory: { type: "window-memory", title: "Memory" },
  },
  edges: [
    ["chat.main", "agent.main"],
    ["model.model", "agent.model"],
    ["memory.memory", "agent.memory"],
  ],
};

/** The agent's settings, and whether it has a calculator. */
interface AgentOptions {
  config?: object;
  calculator?: boolean;
}

function withOptions({ nodes, edges }: Sketch, { config = {}, calculator = false }: AgentOptions): Sketch {
  const agent = { type: "ai-agent", title: "Agent", config };
  if (!calculator) return { nodes: { ...nodes, agent }, edges };
  const tool = { type: "calculator-tool", title: "Calculator" };
  return { nodes: { ...nodes, agent, tool }, edges: [...edges, ["tool.tool", "agent.tools"]] };
}

/** Opens an agent with memory on the loopback vendor, its chat ready. */
export async function openVendorAgent(
  page: Page,
  baseUrl: string,
  key: string,
  options: AgentOptions = {},
): Promise<void> {
  await enterAsGuest(page);
  await makeVendorCredential(page, baseUrl, key);
  await importSketch(page, "Vendor agent", withOptions(vendorAgent, options));
  await chooseCredential(page, "Model", "Vendor");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Test", exact: true }).click();
}
