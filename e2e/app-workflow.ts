import { randomUUID } from "node:crypto";
import { expect, type Frame, type Page } from "@playwright/test";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { testHost } from "../src/engine/testing/test-host.ts";
import { openMcpSession } from "../src/nodes/tools/mcp/mcp-session.ts";
import { textPin } from "../src/nodes/tools/mcp/tool-pin.ts";
import { ask, canvasReady, runEnded } from "./fixtures.ts";
import type { Guest } from "./guest.ts";

/** An agent on the demo model with all tools of a server, each approved as it is now; `b__<tool>` calls one. */
async function appWorkflow(url: string, config: Record<string, string> = {}) {
  const host = testHost({ mcpFetch: (_connection, init) => fetch(url, init) });
  const session = await openMcpSession(host, { url, credential: "" }, new AbortController().signal);
  const pins = Object.fromEntries(session.tools.map((tool) => [tool.name, textPin(tool)]));
  await session.close();
  const document = buildWorkflow({
    name: "Interfaces",
    nodes: {
      start: ["chat-trigger", {}, "Chat"],
      agent: ["ai-agent", {}, "Agent"],
      model: ["demo-model", {}, "Demo"],
      tool: ["mcp-tool", { url, serverName: "b", pins, ...config }, "Server"],
    },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"],
  });
  for (const [index, id] of ["start", "agent", "model", "tool"].entries()) {
    const node = document.nodes[id];
    if (node) node.position = { x: [0, 320, 240, 640][index] ?? 0, y: [0, 0, 220, 40][index] ?? 0 };
  }
  return { ...document, id: randomUUID() };
}

/** Opens the workflow's chat, has the agent call a tool, and gives the frame in which its interface runs. */
export async function showApp(page: Page, guest: Guest, url: string, tool: string, config = {}): Promise<Frame> {
  await page.goto(await guest.addressOf(await appWorkflow(url, config)));
  await canvasReady(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, `b__${tool}`);
  await runEnded(page);
  return appFrame(page);
}

/** The document of a server: the frame inside the frame. `index`: which of several, -1 for the last. */
export async function appFrame(page: Page, index = 0): Promise<Frame> {
  const inner = () =>
    page
      .frames()
      .filter((frame) => frame.parentFrame()?.url().endsWith("/mcp-app.html"))
      .at(index);
  await expect.poll(inner).toBeDefined();
  const found = inner();
  if (!found) throw new Error("There is no interface.");
  return found;
}
