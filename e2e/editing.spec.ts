import type { Locator, Page } from "@playwright/test";
import { enterAsGuest, expect, nodeCard, openTemplate, saved, test } from "./fixtures.ts";

const port = (card: Locator, name: string): Locator => card.locator(`.react-flow__handle[data-handleid="${name}"]`);

async function center(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("The element is not on the page.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: Locator, to: Locator | { x: number; y: number }): Promise<void> {
  const start = await center(from);
  const end = "x" in to ? to : await center(to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 5 });
  await page.mouse.move(end.x, end.y, { steps: 5 });
  await page.mouse.up();
}

async function addByClick(page: Page, search: string, name: RegExp): Promise<void> {
  const palette = page.getByRole("searchbox", { name: /node/i });
  if (!(await palette.isVisible())) await page.getByRole("button", { name: "Add node" }).click();
  await palette.fill(search);
  await page.getByRole("button", { name }).first().click();
}

test("builds a workflow from nothing, by mouse, and finds it again", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Blank");
  await addByClick(page, "manual", /Manual/);
  await addByClick(page, "agent", /^Agent|AI agent/);
  await addByClick(page, "demo", /Demo model/);
  await expect(page.locator(".react-flow__node")).toHaveCount(3);
  await saved(page);
  const edges = page.locator(".react-flow__edge");
  const wired = await edges.count();
  await page.reload();
  await expect(page.locator(".react-flow__node")).toHaveCount(3);
  await expect(edges).toHaveCount(wired);
});

test("a forbidden connection says why, and an allowed one is kept", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await addByClick(page, "calculator", /Calculator/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /fit/i }).first().click();
  await expect(page.locator(".react-flow__node")).toHaveCount(7);
  await drag(page, port(nodeCard(page, "Demo model"), "model"), port(nodeCard(page, "Agent"), "tools"));
  await expect(page.getByText(/model.*tool|tool.*model/i).first()).toBeVisible();
});

test("move, delete, undo and redo, each one step", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
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
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await nodeCard(page, "Window memory").click();
  const limit = page.getByRole("textbox", { name: "Messages" });
  await limit.fill("500");
  await limit.blur();
  await expect(page.getByText(/at most 100/)).toBeVisible();
  await limit.fill("20");
  await expect(page.getByText(/at most 100/)).toBeHidden();
  await saved(page);
  await page.reload();
  await nodeCard(page, "Window memory").click();
  await expect(page.getByRole("textbox", { name: "Messages" })).toHaveValue("20");
});

test("S59 two tabs on one workflow never overwrite each other silently", async ({ page, context }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await saved(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(nodeCard(other, "Agent")).toBeVisible();

  const remove = async (tab: Page, title: string): Promise<void> => {
    await nodeCard(tab, title).click();
    await tab.keyboard.press("Delete");
    await expect(nodeCard(tab, title)).toHaveCount(0);
  };
  await remove(page, "Calculator");
  await saved(page);
  await remove(other, "HTTP request");
  const dialog = other.getByRole("dialog").or(other.getByRole("alertdialog"));
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("button")).not.toHaveCount(0);
  await dialog.getByRole("button", { name: /theirs|other/i }).click();
  await expect(nodeCard(other, "HTTP request")).toHaveCount(1);
  await expect(nodeCard(other, "Calculator")).toHaveCount(0);
});
