import { randomUUID } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { newDocument, newNode } from "../src/engine/document/new-document.ts";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import {
  acceptImported,
  canvasReady,
  choose,
  enterAsGuest,
  expect,
  makeCredential,
  nodeCard,
  pasteText,
  saved,
  test,
} from "./fixtures.ts";
import { nodeRegistry } from "../src/nodes/index.ts";
import { signInAsGuest } from "./guest.ts";

const at = (x: number) => [x, 0];
const n8n = (name: string, nodes: object[], connections: object = {}) => ({ name, nodes, connections, settings: {} });
const chain = (...names: string[]) =>
  Object.fromEntries(
    names.slice(0, -1).map((name, index) => [name, { main: [[{ node: names[index + 1], type: "main", index: 0 }]] }]),
  );

const orders = n8n(
  "Order intake",
  [
    { name: "Begin", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: at(0), parameters: {} },
    {
      name: "Old ledger",
      type: "n8n-nodes-base.quickbooksOfLongAgo",
      typeVersion: 1,
      position: at(250),
      parameters: { resource: "invoice" },
    },
    {
      name: "Answer",
      type: "@n8n/n8n-nodes-langchain.openAi",
      typeVersion: 1.8,
      position: at(500),
      parameters: {
        modelId: { __rl: true, value: "gpt-4o", mode: "list" },
        messages: { values: [{ content: "Hello" }] },
      },
      credentials: { openAiApi: { id: "1", name: "OpenAI" } },
    },
  ],
  chain("Begin", "Old ledger", "Answer"),
);
const plain = n8n("Nothing odd", [
  { name: "Begin", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: at(0), parameters: {} },
]);

async function importFolder(page: Page): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "workflows-"));
  await writeFile(join(folder, "orders.json"), JSON.stringify(orders));
  await writeFile(join(folder, "plain.json"), JSON.stringify([plain]));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "x", version: "1" }));
  await writeFile(join(folder, "picture.png"), "no text");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("link", { name: "Open Imports" }).click();
  await page.getByLabel("Folder of workflows").setInputFiles(folder);
  const found = page.getByRole("region", { name: "What was found" });
  await expect(found.getByRole("status")).toHaveText("2 workflows, 1 file that cannot be read, 1 other file left out");
  await expect(found).toContainText('no "nodes". It has name, version.');
  await expect(found).toContainText(/Order intake\s*From n8n, 3 nodes there · 4 nodes here/);
  await found.getByRole("button", { name: "Import all 2" }).click();
}

test("a folder is imported at once, and each workflow says what is still to do until it is done", async ({ page }) => {
  await enterAsGuest(page);
  await importFolder(page);
  const imported = page.getByRole("region", { name: "Imported" });
  const row = imported.getByRole("listitem").filter({ hasText: "Order intake" });
  await expect(row).toContainText("From n8n, 3 nodes there · ");
  await expect(row).toContainText("1 placeholder");
  await expect(row).toContainText("1 credential missing");
  await imported.getByLabel("Filter by what is left to do").selectOption("Nothing left to do (1)");
  await expect(imported.getByRole("listitem")).toHaveText([/Nothing odd/]);
  await imported.getByLabel("Filter by what is left to do").selectOption("Has placeholders (1)");
  await expect(imported.getByRole("listitem")).toHaveText([/Order intake/]);

  await row.getByRole("link", { name: "Continue with Order intake" }).click();
  await expect(page.getByRole("region", { name: /^Settings of Old ledger/ })).toBeVisible();
  await page.getByText("Imported from n8n:").waitFor();
  await page.getByRole("status").filter({ hasText: "Imported from n8n" }).getByRole("button", { name: "Show" }).click();
  const report = page.getByRole("dialog", { name: "Imported from n8n" });
  const todo = report.getByRole("list", { name: "To do" });
  await expect(todo).toContainText("Old ledger");
  const before = await todo.getByRole("listitem").count();
  await report.getByRole("button", { name: "Done: Old ledger" }).first().click();
  await expect(todo.getByRole("listitem")).toHaveCount(before - 1);
  await todo
    .getByRole("listitem")
    .filter({ hasText: "Answer" })
    .getByRole("button", { name: "Show on canvas" })
    .first()
    .click();
  await expect(report).toBeHidden();
  await expect(page.getByRole("region", { name: /^Settings of/ })).toBeVisible();

  // The report goes when the person says so.
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Import report" }).click();
  await report.getByRole("button", { name: "Remove the report" }).click();
  await expect(page.getByText("Imported from n8n:")).toHaveCount(0);
  await saved(page);
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Publish" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Import report" })).toHaveCount(0);
  await page.goto("/imports");
  await expect(imported.getByRole("listitem")).toHaveText([/Nothing odd/]);
});

test("an imported flow is laid out where its cards would overlap, and its switch has its outputs", async ({ page }) => {
  const kinds = ["refund", "question"];
  const rule = (kind: string) => ({
    conditions: {
      options: { caseSensitive: true },
      conditions: [
        { leftValue: "={{ $json.kind }}", rightValue: kind, operator: { type: "string", operation: "equals" } },
      ],
      combinator: "and",
    },
  });
  const flow = n8n(
    "Sort mail",
    [
      { name: "Begin", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: at(0), parameters: {} },
      {
        name: "Sort",
        type: "n8n-nodes-base.switch",
        typeVersion: 3.2,
        position: at(180),
        parameters: { rules: { values: kinds.map(rule) }, options: {} },
      },
      ...kinds.map((name, index) => ({
        name,
        type: index === 0 ? "n8n-nodes-base.quickbooksOfLongAgo" : "n8n-nodes-base.httpRequest",
        typeVersion: 1,
        position: [360, index * 40],
        parameters: { url: "https://api.example.com" },
      })),
    ],
    {
      ...chain("Begin", "Sort"),
      Sort: { main: kinds.map((node) => [{ node, type: "main", index: 0 }]) },
    },
  );
  await enterAsGuest(page);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import a workflow" });
  await dialog.locator("input[type=file]").setInputFiles({
    name: "mail.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(flow)),
  });
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page).toHaveURL(/\/w\//);
  await canvasReady(page);
  const sort = nodeCard(page, "Sort");
  await expect(sort.locator("[data-direction=output]")).toHaveCount(3);
  await expect(sort.locator("[data-label=refund]")).toBeVisible();
  const boxes = await Promise.all(["Begin", "Sort", ...kinds].map((title) => nodeCard(page, title).boundingBox()));
  for (const [index, box] of boxes.entries())
    for (const other of boxes.slice(index + 1)) {
      if (!box || !other) throw new Error("A card is missing.");
      const apart =
        box.x + box.width <= other.x ||
        other.x + other.width <= box.x ||
        box.y + box.height <= other.y ||
        other.y + other.height <= box.y;
      expect(apart).toBe(true);
    }
  // What is to do is told one thing after the other.
  const told = page.getByRole("status").filter({ hasText: /to do|your review/ });
  await expect(told).toHaveText(/wait.* for your review/);
  await acceptImported(page);
  await expect(told).toHaveText(/1 thing to do/);
});

test("what is dropped joins one list, however quickly one drop follows another @rest", async ({ page }) => {
  await enterAsGuest(page);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("link", { name: "Open Imports" }).click();
  const area = page.getByRole("region", { name: "Import", exact: true }).locator("> div").first();
  const drop = async (...names: string[]) => {
    const dataTransfer = await page.evaluateHandle(
      (files) => {
        const transfer = new DataTransfer();
        for (const [name, text] of files) transfer.items.add(new File([text], name, { type: "application/json" }));
        return transfer;
      },
      names.map((name): [string, string] => [`${name}.json`, JSON.stringify({ ...plain, name })]),
    );
    await area.dispatchEvent("drop", { dataTransfer });
  };
  await drop("One", "Two");
  const found = page.getByRole("region", { name: "What was found" });
  await expect(found.getByRole("listitem")).toHaveText([/One/, /Two/]);
  await drop("Three");
  await expect(found.getByRole("listitem")).toHaveText([/One/, /Two/, /Three/]);
  await found.getByRole("button", { name: "Import all 3" }).click();
  await expect(page.getByRole("region", { name: "Imported" }).getByRole("listitem")).toHaveCount(3);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test("the page of imports fits, and leads to what is to do @rest", async ({ page }) => {
    await enterAsGuest(page);
    await page.goto("/imports");
    await page.getByLabel("Workflow as text").fill(JSON.stringify(orders));
    await page.getByRole("button", { name: "Read it" }).click();
    await page.getByRole("button", { name: "Import it" }).click();
    await expect(page.getByRole("link", { name: "Continue with Order intake" })).toBeVisible();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  });
});

test("a credential that was chosen for a workflow is forgotten when another one is chosen @rest", async ({ page }) => {
  await enterAsGuest(page);
  await page.goto("/credentials");
  await makeCredential(
    page,
    /^OpenAI-compatible/,
    [
      [/^Name/, "Vendor"],
      [/Base URL/, "https://vendor.example.com/v1"],
      [/API key/, "test-key-of-imports"],
    ],
    { works: false },
  );
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Create your first workflow" })).toBeVisible();
  const text = JSON.stringify(
    buildWorkflow({ name: "Asks", nodes: { model: ["openai-compatible-model", {}, "Model"] } }),
  );
  await pasteText(page, text);
  const dialog = page.getByRole("dialog", { name: "Import a workflow" });
  const credential = dialog.getByRole("combobox", { name: "Credential of Model" });
  await choose(credential, "Vendor");
  await dialog.getByRole("button", { name: "Choose another" }).click();
  await dialog.getByLabel("Workflow file").setInputFiles({
    name: "asks.json",
    mimeType: "application/json",
    buffer: Buffer.from(text),
  });
  await expect(credential).toHaveValue("");
});

test("many imported nodes that wait for a review are one bar with one button, and no marks on the cards", async ({
  page,
}) => {
  const guest = await signInAsGuest(page);
  const document = newDocument(randomUUID(), "Many to review");
  const [trigger, code] = [nodeRegistry["manual-trigger"], nodeRegistry["code"]];
  if (!trigger || !code) throw new Error("A node type is missing.");
  document.nodes["n0"] = newNode(trigger, { id: "n0", position: { x: 0, y: 0 } });
  for (let index = 1; index <= 300; index += 1) {
    const [id, before] = [`n${index}`, `n${index - 1}`];
    const position = { x: (index % 20) * 320, y: Math.floor(index / 20) * 160 };
    document.nodes[id] = { ...newNode(code, { id, position, title: `Step ${index}` }), unreviewed: true };
    document.edges[id] = { id, from: { node: before, port: "main" }, to: { node: id, port: "main" } };
  }
  await page.goto(await guest.addressOf(document));
  await canvasReady(page);
  const bar = page.getByRole("status").filter({ hasText: "300 imported nodes wait for your review" });
  await expect(bar).toBeVisible();
  await expect(bar.getByRole("button")).toHaveCount(1);
  // A run is refused with one line, and the checks have been made by then.
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const refused = page.getByRole("complementary", { name: "Run panel" }).getByRole("alert");
  await expect(refused.getByRole("listitem")).toHaveText([/^300 imported nodes wait for your review/]);
  await expect(page.locator(".card-problem")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /problems?$/ })).toHaveCount(0);

  await bar.getByRole("button", { name: "Review" }).click();
  await page.getByRole("button", { name: "Mark all as reviewed" }).click();
  await expect(bar).toHaveCount(0);
});
