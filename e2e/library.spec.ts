import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import {
  acceptImported,
  ask,
  enterAsGuest,
  enterWithTemplate,
  expect,
  nodeCard,
  openTemplate,
  pasteText,
  saved,
  test,
} from "./fixtures.ts";
import { templates } from "../src/features/library/templates/index.ts";

const markup = '<img src="/probe.png" onerror="window.hit = 1">';

/** A workflow as someone else may have sent it: it reaches out, names foreign things, and has a node from the future. */
function fromOutside(apiUrl: string) {
  return buildWorkflow({
    name: "From outside",
    nodes: {
      start: ["manual-trigger", {}, "Start"],
      request: ["http-request", { url: `${apiUrl}/weather?city=oslo` }, "Fetch"],
      agent: ["ai-agent", { userMessage: "hello" }, markup],
      model: ["demo-model", {}, "Demo"],
      fallback: ["openai-model", { model: "gpt-4o-mini", credential: "someone-elses" }, "Spare"],
      future: ["from-the-future", { kept: true }, "Future"],
      other: ["workflow-tool", { workflow: "not-here" }, "Other workflow"],
      code: ["code-tool", { code: "return 1;" }, "Snippet"],
      note: [
        "sticky-note",
        { text: `${markup} [link](javascript:window.hit=2) ![](https://pictures.example/q.png)` },
        "N",
      ],
    },
    edges: ["start.main->request.main", "request.main->agent.main", "model.model->agent.model"],
  });
}

/** Drops a file on an element, as from a folder of the computer. */
async function dropFile(page: Page, target: string, text: string): Promise<void> {
  await page.evaluate(
    ([selector, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], "workflow.json", { type: "application/json" }));
      const element = document.querySelector(selector);
      for (const type of ["dragover", "drop"])
        element?.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    [target, text] as const,
  );
}

test("the gallery finds a template by words and category, shows it and makes a workflow of it", async ({ page }) => {
  await enterAsGuest(page);
  await page.getByRole("button", { name: "All templates" }).click();
  const gallery = page.getByRole("dialog", { name: "New workflow" });
  const list = gallery.getByRole("list", { name: "Templates" });
  await expect(list.getByRole("button")).toHaveCount(templates.length);
  // Arrows go through the list from the search, and Enter takes what they have come to.
  await expect(gallery.getByRole("searchbox")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await expect(list.getByRole("button").nth(1)).toHaveAttribute("aria-current", "true");
  await expect(gallery.getByRole("heading", { name: "Blank" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Build your first agent")).toBeVisible();
  await page.goto("/");
  await page.getByRole("button", { name: "New workflow" }).click();
  await gallery.getByRole("combobox", { name: "Category" }).selectOption({ label: "Working on data" });
  await expect(list.getByRole("button")).toHaveCount(templates.filter(({ category }) => category === "data").length);
  await gallery.getByRole("searchbox").fill("json schema");
  await expect(list.getByRole("button")).toHaveText(/Extract JSON/);
  await expect(gallery.getByRole("heading", { name: "Extract JSON" })).toBeVisible();
  await expect(gallery.getByText("runs on the demo model at once")).toBeVisible();
  await gallery.getByRole("searchbox").fill("nothing like it");
  await gallery.getByRole("button", { name: "Show all" }).click();
  await list.getByRole("button", { name: /^Extract JSON/ }).click();
  await gallery.getByRole("button", { name: "Use this template" }).click();
  await expect(nodeCard(page, "Above 100\\?")).toBeVisible();
  await saved(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(nodeCard(page, "For a person").locator(".card-run")).toHaveAttribute("data-status", "done");
});

test("a blank workflow begins with its first steps, and a deleted one comes back by Ctrl+Z", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Blank");
  await expect(page.getByText("Build your first agent")).toBeVisible();
  await page.goto("/");
  const row = page.getByRole("link", { name: "Untitled workflow" });
  await page.getByRole("button", { name: "Actions for Untitled workflow" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByText('Moved "Untitled workflow" to the trash')).toBeVisible();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(row).toBeVisible();
  await expect(page.getByText('Moved "Untitled workflow" to the trash')).toBeHidden();

  // What is pasted into the import dialog is read at once, wherever the focus is.
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a workflow" });
  await expect(dialog).toBeVisible();
  await pasteText(page, '{ "name": "some-package", "version": "1.0.0" }');
  await expect(dialog.getByRole("alert")).toContainText('no "nodes". It has name, version.');
});

test("S33 an import asks nobody for anything and runs nothing before the review; S34 S36", async ({ page, api }) => {
  const asked: string[] = [];
  await enterAsGuest(page);
  const { origin } = new URL(page.url());
  page.on("request", (request) => {
    const url = request.url();
    if (/^https?:/.test(url) && (!url.startsWith(origin) || url.includes("/functions/v1/"))) asked.push(url);
  });
  const before = api.requests.length;
  await dropFile(page, "main", JSON.stringify(fromOutside(api.url)));
  const report = page.getByRole("dialog", { name: "Import a workflow" });
  await expect(report).toContainText("“From outside” with 9 nodes");
  await expect(report.getByRole("region", { name: "Choose credentials" })).toContainText("Spare");
  await expect(report.getByRole("region", { name: "Waits for your review" })).toContainText("sends GET requests to");
  await expect(report.getByRole("region", { name: "Missing here" })).toContainText("Other workflow");
  await expect(report.getByRole("region", { name: "Unknown nodes" })).toContainText("from-the-future");
  await report.getByRole("button", { name: "Import", exact: true }).click();
  await expect(nodeCard(page, "Future")).toBeVisible();
  await page.locator(".card-note").getByText("link").click();
  await expect(page.locator('.react-flow img, [href^="javascript:"]')).toHaveCount(0);
  expect(await page.evaluate(() => Reflect.get(window, "hit"))).toBeUndefined();
  // The settings of the note have made room for themselves.
  await page.keyboard.press("Shift+1");
  await nodeCard(page, "Fetch").locator(".card-title").click();
  await expect(page.getByRole("region", { name: /^Settings of/ })).toBeVisible();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(
    page
      .getByRole("alert")
      .filter({ hasText: /waits? for your review/ })
      .first(),
  ).toBeVisible();
  await saved(page);
  expect(asked).toEqual([]);
  expect(api.requests.length).toBe(before);

  await page.getByRole("button", { name: "Review", exact: true }).click();
  const review = page.getByRole("dialog", { name: "Review imported nodes" });
  await expect(review).toContainText("runs its code in the sandbox");
  await review.getByRole("button", { name: "Snippet is reviewed" }).click();
  await expect(review).not.toContainText("Snippet");
  await review.getByRole("button", { name: "Mark all as reviewed" }).click();
  await expect(page.getByRole("button", { name: "Review", exact: true })).toBeHidden();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(nodeCard(page, "Fetch").locator(".card-run")).toHaveAttribute("data-status", "done");
  expect(api.requests.length).toBe(before + 1);
});

test("an exported workflow is added to the open one by paste and by drop, as one undo step; S35", async ({ page }) => {
  await enterWithTemplate(page, "Tools in code");
  await saved(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Export as JSON" }).click();
  const exported = await readFile(await (await download).path(), "utf8");
  expect(JSON.parse(exported)).toMatchObject({ name: "Tools in code", nodes: { agent: { type: "ai-agent" } } });
  await page.goto("/");
  await openTemplate(page, "Long conversation");
  await saved(page);
  const nodes = page.locator(".react-flow__node");
  const before = await nodes.count();
  await pasteText(page, "Hello");
  await expect(page.getByText("The clipboard contains no nodes.")).toBeVisible();
  await pasteText(page, exported);
  const report = page.getByRole("dialog", { name: "Import a workflow" });
  await report.getByRole("button", { name: "Add to this workflow" }).click();
  await expect(nodes).toHaveCount(before + 7);
  await expect(nodeCard(page, "Text facts")).toBeVisible();
  await expect(page.getByText("2 imported nodes wait for your review")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(nodes).toHaveCount(before);
  await dropFile(page, ".react-flow", exported);
  await report.getByRole("button", { name: "Import as a new one" }).click();
  await expect(page.getByRole("textbox", { name: "Workflow name" })).toHaveValue("Tools in code 2");
  await acceptImported(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, 'Use text_facts on "three short words"');
  await expect(page.getByRole("log")).toContainText("words");
});

test("S34 a report waits until what one has is known, so that nothing is called missing that is there @rest", async ({
  page,
}) => {
  await enterAsGuest(page);
  const credentials = "**/rest/v1/rpc/studio_list_credentials";
  await page.route(credentials, (route) => route.fulfill({ status: 500, json: { message: "down" } }));
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a workflow" });
  const text = JSON.stringify(buildWorkflow({ name: "Mine", nodes: { start: ["manual-trigger", {}, "Start"] } }));
  await dialog
    .getByLabel("Workflow file")
    .setInputFiles({ name: "w.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await expect(dialog.getByRole("alert")).toContainText("cannot be checked");
  await expect(dialog.getByRole("button", { name: "Import", exact: true })).toBeDisabled();
  await page.unroute(credentials);
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(dialog.getByRole("button", { name: "Import", exact: true })).toBeEnabled();
});

test("S31 S32 a file that is no workflow is refused in words @rest", async ({ page }) => {
  await enterAsGuest(page);
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a workflow" });
  for (const [text, reason] of [
    ['{"nodes":{"__proto__":{"id":"a"}}}', "__proto__"],
    ['{"nodes":[{"id":"a","type":"x"},{"id":"a","type":"y"}]}', "Two nodes have the id"],
    ["not json", "does not contain JSON"],
  ] as const) {
    await dialog
      .getByLabel("Workflow file")
      .setInputFiles({ name: "w.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await expect(dialog.getByRole("alert")).toContainText(reason);
    await expect(dialog.getByRole("button", { name: "Import", exact: true })).toBeDisabled();
    await dialog.getByRole("button", { name: "Choose another" }).click();
  }
});
