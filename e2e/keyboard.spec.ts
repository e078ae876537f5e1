import type { Locator, Page } from "@playwright/test";
import { expect, nodeCard, saved, test } from "./fixtures.ts";

/** Presses Tab, or Shift+Tab, until the element has the focus, as someone without a mouse would. */
async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}

async function pressOn(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Types into the open palette and adds what stands first. */
async function addNode(page: Page, words: string): Promise<void> {
  const search = page.getByRole("searchbox", { name: "Search nodes" });
  await expect(search).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
}

test("an agent is built, wired, run and read without a mouse", async ({ page }) => {
  await page.goto("/");
  await pressOn(page, page.getByRole("button", { name: "Continue as guest" }));
  await pressOn(page, page.getByRole("button", { name: "New workflow" }));
  await pressOn(page, page.getByRole("dialog").getByRole("button", { name: /^Blank/ }));
  await pressOn(page, page.getByRole("dialog").getByRole("button", { name: "Use this template" }));
  await expect(page.getByText("Build your first agent")).toBeVisible();

  await page.keyboard.press("n");
  await addNode(page, "chat trigger");
  await expect(nodeCard(page, "Chat trigger")).toBeVisible();
  await addNode(page, "ai agent");
  await expect(nodeCard(page, "AI agent")).toBeVisible();
  await addNode(page, "demo model");
  await expect(nodeCard(page, "Demo model")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox", { name: "Search nodes" })).toBeHidden();

  // What was added beside the agent is wired to it; here one wire is taken away and drawn again.
  const wires = page.locator(".react-flow__edge");
  await expect(wires).toHaveCount(2);
  const card = nodeCard(page, "Demo model");
  await pressOn(page, card, "Space");
  await page.keyboard.press("Delete");
  await expect(wires).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(wires).toHaveCount(2);
  await pressOn(page, wires.last(), "Space");
  await page.keyboard.press("Delete");
  await expect(wires).toHaveCount(1);
  await pressOn(page, card, "Space");
  await page.keyboard.press("c");
  await expect(page.getByPlaceholder("Connect to…")).toBeFocused();
  await page.keyboard.type("its model");
  await page.keyboard.press("Enter");
  await expect(wires).toHaveCount(2);
  await expect(card).toBeFocused();

  // The place changes by arrows, as one step to undo.
  const before = await card.boundingBox();
  await page.keyboard.press("ArrowDown");
  await expect.poll(async () => (await card.boundingBox())?.y).not.toBe(before?.y);
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(async () => (await card.boundingBox())?.y).toBe(before?.y);
  await saved(page);

  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toBeFocused();
  await page.keyboard.type("Hello from the keyboard");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log")).toContainText("You said: “Hello from the keyboard”");
  await expect(nodeCard(page, "AI agent").locator(".card-run")).toHaveAttribute("data-status", "done");

  await tabTo(page, page.getByRole("tab", { name: "Chat" }), "Shift+Tab");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tabpanel", { name: "Steps" })).toContainText("Model call");
});
