import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { ask, enterAsGuest, expect, nodeCard, openTemplate, saved, test } from "./fixtures.ts";

interface Sketch {
  nodes: Record<string, { type: string; title: string; config?: object }>;
  edges: [string, string][];
}

/** Imports a workflow as a file, the way a user would, and opens it. */
async function importWorkflow(page: Page, name: string, { nodes, edges }: Sketch): Promise<void> {
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
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator("input[type=file]").setInputFiles({
    name: "workflow.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(document)),
  });
  const confirm = dialog.getByRole("button", { name: /^Import|Open/ });
  if (await confirm.isVisible()) await confirm.click();
  await expect(page).toHaveURL(/\/w\//);
  await expect(page.getByRole("button", { name: "Test", exact: true })).toBeVisible();
}

/** A credential for the loopback vendor, made on the credentials page. */
async function makeCredential(page: Page, baseUrl: string, key: string): Promise<void> {
  await page.goto("/credentials");
  await page
    .getByRole("button", { name: /credential/i })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: /OpenAI-compatible/ }).click();
  await dialog.getByLabel("Name").fill("Vendor");
  await dialog.getByLabel(/Base URL/).fill(baseUrl);
  await dialog.getByLabel(/API key/).fill(key);
  await dialog.getByRole("button", { name: /Save|Create/ }).click();
  await expect(dialog).toBeHidden();
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

async function openVendorAgent(page: Page, baseUrl: string, key: string): Promise<void> {
  await enterAsGuest(page);
  await makeCredential(page, baseUrl, key);
  await importWorkflow(page, "Vendor agent", vendorAgent);
  await nodeCard(page, "Model").click();
  await page.getByRole("combobox", { name: /Credential/ }).click();
  await page.getByRole("option", { name: /Vendor/ }).click();
  await page.keyboard.press("Escape");
  await saved(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
}

test("a workflow that cannot run says what is missing instead of starting", async ({ page }) => {
  await enterAsGuest(page);
  await importWorkflow(page, "No model", {
    nodes: { start: { type: "manual-trigger", title: "Start" }, agent: { type: "ai-agent", title: "Agent" } },
    edges: [["start.main", "agent.main"]],
  });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText('"Agent" needs a model. Connect a model');
});

test("a wrong key ends in an error that says what to do, and S43 the key is nowhere", async ({
  page,
  vendor,
  studio,
}) => {
  const wrong = "test-key-wrong-4821";
  await openVendorAgent(page, vendor.baseUrl, wrong);
  await ask(page, "Hello");
  await expect(nodeCard(page, "Agent").locator(".card-run")).toHaveAttribute("data-status", "failed");
  await expect(page.getByRole("log")).toContainText(/key|credential/i);
  await expect(
    page
      .getByRole("log")
      .getByRole("button", { name: /again|retry/i })
      .first(),
  ).toBeVisible();
  const storage = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  for (const place of [await page.content(), storage, studio.output()]) expect(place).not.toContain(wrong);
});

test("S51 a busy vendor is tried again with a countdown on the node, then answers", async ({ page, vendor }) => {
  await openVendorAgent(page, vendor.baseUrl, vendor.key);
  await ask(page, "Patience [429]");
  await expect(nodeCard(page, "Agent").locator(".card-run")).toHaveText(/retry \d of 3\s*in \d s/, { timeout: 15_000 });
  await expect(page.getByRole("log")).toContainText("You said", { timeout: 30_000 });
  await page.getByRole("tab", { name: "Steps" }).click();
  await expect(page.getByRole("tabpanel", { name: "Steps" })).toContainText("Retry 2 of 3");
});

test("S56 Stop aborts the open request, keeps the partial text and saves nothing of it", async ({ page, vendor }) => {
  await openVendorAgent(page, vendor.baseUrl, vendor.key);
  await ask(page, "Speak [slow]");
  await expect(page.getByRole("log")).toContainText("This answer takes");
  await page.getByRole("button", { name: "Stop" }).first().click();
  await expect(page.getByRole("button", { name: "Test", exact: true })).toBeVisible();
  await expect.poll(() => vendor.requests.at(-1)?.aborted).toBe(true);
  await page.reload();
  await expect(nodeCard(page, "Agent")).toBeVisible();
  await ask(page, "What did I ask before?");
  await expect(page.getByRole("log")).toContainText(/You said/);
});

test("an old run opens on the canvas from the history", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 2 + 3?");
  await expect(page.getByRole("log")).toContainText("5");
  await expect(page.getByRole("button", { name: "Test", exact: true })).toBeVisible();
  await page.reload();
  await expect(nodeCard(page, "Agent")).toBeVisible();
  await page.getByRole("tab", { name: "History" }).click();
  const history = page.getByRole("tabpanel", { name: "History" });
  await history.getByRole("button").or(history.getByRole("option")).first().click();
  await expect(nodeCard(page, "Calculator").locator(".card-run")).toHaveAttribute("data-status", "done");
});
