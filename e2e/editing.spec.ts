import type { Page } from "@playwright/test";
import { canvasReady, enterWithTemplate, expect, nodeCard, openTemplate, saved, secondTab, test } from "./fixtures.ts";
import { addByClick, center, drag, hold, port } from "./pointer.ts";

test("builds a workflow from nothing, by mouse, and finds it again", async ({ page }) => {
  await enterWithTemplate(page, "Blank");
  await addByClick(page, "manual", /Manual/);
  await addByClick(page, "agent", /^Agent|AI agent/);
  await addByClick(page, "demo", /Demo model/);
  await expect(page.locator(".react-flow__node")).toHaveCount(3);
  await saved(page);
  const edges = page.locator(".react-flow__edge");
  const wired = await edges.count();
  await page.reload();
  await canvasReady(page);
  await expect(page.locator(".react-flow__node")).toHaveCount(3);
  await expect(edges).toHaveCount(wired);
});

test("a forbidden connection says why, and an allowed one is kept", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await addByClick(page, "calculator", /Calculator/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /fit/i }).first().click();
  await expect(page.locator(".react-flow__node")).toHaveCount(7);
  await hold(page, port(nodeCard(page, "Demo model"), "model"), port(nodeCard(page, "Agent"), "tools"));
  const refusal = page.getByRole("status").filter({ hasText: /model.*tool|tool.*model/i });
  await expect(refusal.first()).toBeVisible();
  await page.mouse.up();
  await expect(refusal).toHaveCount(0);
});

test("move, delete, undo and redo, each one step", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  const calculator = nodeCard(page, "Calculator");
  const before = await center(calculator);
  await drag(page, calculator.locator(".card-title"), { x: before.x - 60, y: before.y - 80 });
  const moved = await center(calculator);
  expect(Math.abs(moved.y - before.y)).toBeGreaterThan(40);
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(async () => Math.round((await center(calculator)).y)).toBe(Math.round(before.y));
  await page.keyboard.press("ControlOrMeta+Shift+z");
  await expect.poll(async () => Math.round((await center(calculator)).y)).toBe(Math.round(moved.y));

  await calculator.click();
  await page.keyboard.press("Delete");
  await expect(calculator).toHaveCount(0);
  await expect(nodeCard(page, "Agent")).toContainText("1 tool");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(calculator).toHaveCount(1);
  await expect(nodeCard(page, "Agent")).toContainText("2 tools");
});

test("the inspector checks a value at its field and keeps what was typed", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await nodeCard(page, "Window memory").click();
  const limit = page.getByRole("textbox", { name: "Messages" });
  await limit.fill("500");
  await limit.blur();
  await expect(page.getByText(/at most 100/)).toBeVisible();
  await limit.fill("20");
  await expect(page.getByText(/at most 100/)).toBeHidden();
  await saved(page);
  await page.reload();
  await canvasReady(page);
  await nodeCard(page, "Window memory").click();
  await expect(page.getByRole("textbox", { name: "Messages" })).toHaveValue("20");
});

test("S59 two tabs on one workflow never overwrite each other silently", async ({ page, context }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const other = await secondTab(page, context);

  const remove = async (tab: Page, title: string): Promise<void> => {
    await nodeCard(tab, title).click();
    await tab.keyboard.press("Delete");
    await expect(nodeCard(tab, title)).toHaveCount(0);
  };
  // What does not meet is joined, and a tab that comes to the front shows it.
  await remove(page, "Calculator");
  await saved(page);
  await remove(other, "HTTP request");
  await expect(nodeCard(other, "Calculator")).toHaveCount(0);
  await saved(other);
  await expect(nodeCard(page, "HTTP request")).toHaveCount(1);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(nodeCard(page, "HTTP request")).toHaveCount(0);
  await expect(page.getByText("Changes made elsewhere were added.")).toBeVisible();

  // The same field is asked about.
  const rename = async (tab: Page, name: string): Promise<void> => {
    await tab.getByRole("textbox", { name: "Workflow name" }).fill(name);
    await tab.keyboard.press("Enter");
  };
  await rename(page, "One");
  await saved(page);
  await rename(other, "Two");
  const dialog = other.getByRole("dialog").or(other.getByRole("alertdialog"));
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: /theirs|other/i }).click();
  await expect(other.getByRole("textbox", { name: "Workflow name" })).toHaveValue("One");
});

test("nodes go into another workflow, also where the page may not touch the clipboard @rest", async ({
  page,
  context,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const home = page.url();
  await page.keyboard.press("ControlOrMeta+a");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("ControlOrMeta+c");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(text)).toMatchObject({ kind: "switchyard-nodes" });
  expect(text.split("\n").length).toBeGreaterThan(50);
  await page.goto("/");
  await openTemplate(page, "Blank");
  await page.keyboard.press("ControlOrMeta+v");
  await expect(page.locator(".react-flow__node")).toHaveCount(6);
  await expect(page.locator(".react-flow__edge")).toHaveCount(5);
  await page.keyboard.press("ControlOrMeta+x");
  await expect(page.locator(".react-flow__node")).toHaveCount(0);

  await context.clearPermissions();
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException("Not allowed", "NotAllowedError"));
    Object.defineProperty(navigator, "clipboard", { value: { readText: refuse, writeText: refuse } });
  });
  await page.goto(home);
  await canvasReady(page);
  await nodeCard(page, "Calculator").click({ button: "right" });
  await page.getByRole("menuitem", { name: /^Copy/ }).click();
  const other = await context.newPage();
  await other.goto(home);
  await canvasReady(other);
  await other.locator(".react-flow__pane").click({ button: "right", position: { x: 30, y: 300 } });
  await other.evaluate(() => {
    const refuse = () => Promise.reject(new DOMException("Not allowed", "NotAllowedError"));
    Object.defineProperty(navigator, "clipboard", { value: { readText: refuse, writeText: refuse } });
  });
  await other.getByRole("menuitem", { name: /^Paste/ }).click();
  await expect(nodeCard(other, "Calculator 2")).toBeVisible();
});

test("on a phone the settings leave the node in view that they are about @rest", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("tab", { name: "Canvas" }).click();
  await page.getByRole("button", { name: "Search actions and nodes" }).click();
  await page.getByRole("combobox").fill("go to HTTP request");
  await page.keyboard.press("Enter");
  const settings = page.getByRole("region", { name: "Settings of HTTP request" });
  await expect(settings).toBeVisible();
  const card = nodeCard(page, "HTTP request");
  await expect
    .poll(async () => {
      const [node, panel] = [await card.boundingBox(), await settings.boundingBox()];
      return node !== null && panel !== null && node.y + node.height <= panel.y && node.y >= 0;
    })
    .toBe(true);
});
