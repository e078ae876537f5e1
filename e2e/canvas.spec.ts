import type { Page } from "@playwright/test";
import { ask, atRest, canvasReady, enterAsGuest, expect, nodeCard, openTemplate, saved, test } from "./fixtures.ts";
import { center, drag, port } from "./pointer.ts";

/** Takes the end of a wire that lies at its input port, and lets go of it somewhere else. */
async function pullEnd(page: Page, wire: string, to: { x: number; y: number }): Promise<void> {
  await page.getByRole("group", { name: wire }).focus();
  await page.keyboard.press("Space");
  await drag(page, page.locator(".react-flow__edgeupdater-target"), to);
}

const wires = (page: Page) => page.locator(".react-flow__edge");

test("the end of a wire is pulled to another port, and stays where nothing fits", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await saved(page);
  const wire = "model connection from Demo model to Agent";
  const agent = nodeCard(page, "Agent");

  // Of another kind: refused in words.
  await pullEnd(page, wire, await center(port(agent, "tools")));
  await expect(page.getByText(/model.*tool|tool.*model/i).first()).toBeVisible();
  await expect(page.getByRole("group", { name: wire })).toHaveCount(1);
  // Over nothing: as before, and nothing to undo.
  const pane = await page.locator(".react-flow__pane").boundingBox();
  await pullEnd(page, wire, { x: (pane?.x ?? 0) + 40, y: (pane?.y ?? 0) + 400 });
  await expect(page.getByRole("group", { name: wire })).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^Undo/ })).toBeDisabled();

  await pullEnd(page, wire, await center(port(agent, "fallback")));
  await expect(port(agent, "model")).toHaveAttribute("data-hollow", "true");
  await expect(wires(page)).toHaveCount(5);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(port(agent, "model")).not.toHaveAttribute("data-hollow");
  await expect(page.getByRole("button", { name: /^Undo/ })).toBeDisabled();

  // On a card: its port that fits.
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await page.getByRole("searchbox", { name: "Search nodes" }).fill("ai agent");
  await page.keyboard.press("Enter");
  await page.getByRole("searchbox", { name: "Search nodes" }).press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+1");
  await atRest(page);
  await pullEnd(page, wire, await center(nodeCard(page, "AI agent").locator(".card-title")));
  await expect(page.getByRole("group", { name: "model connection from Demo model to AI agent" })).toHaveCount(1);
  await expect(page.getByRole("group", { name: wire, exact: true })).toHaveCount(0);
});

test("tidying up goes on beside the page, or in it where no worker may start", async ({ page, context }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await saved(page);
  const placesOf = (tab: Page) =>
    tab
      .locator(".react-flow__node")
      .evaluateAll((nodes) => nodes.map((node) => (node instanceof HTMLElement ? node.style.transform : "")));
  const before = await placesOf(page);
  const worker = page.waitForEvent("worker");
  await page.keyboard.press("Shift+T");
  expect((await worker).url()).toContain("layout-worker");
  await expect.poll(() => placesOf(page)).not.toEqual(before);
  const tidy = await placesOf(page);
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(() => placesOf(page)).toEqual(before);
  await saved(page);

  const other = await context.newPage();
  await other.addInitScript(() => Reflect.deleteProperty(window, "Worker"));
  await other.goto(page.url());
  await canvasReady(other);
  await expect(nodeCard(other, "Agent")).toBeVisible();
  await other.keyboard.press("Shift+T");
  await expect.poll(() => placesOf(other)).toEqual(tidy);
});

test("where motion is not wanted, a run and the canvas show their states without any", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await page.evaluate(() => {
    const moving = new Set<string>();
    Object.assign(window, { moving });
    const look = (): void => {
      for (const animation of document.getAnimations()) {
        const { effect } = animation;
        const timing = effect?.getComputedTiming();
        const target = effect instanceof KeyframeEffect ? effect.target : null;
        const lasts = timing?.iterations === Infinity || Number(timing?.duration ?? 0) > 10;
        if (lasts) moving.add(`${target?.getAttribute("class") ?? ""}: ${Number(timing?.duration ?? 0)}`);
      }
      requestAnimationFrame(look);
    };
    look();
  });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12.5% of 480?");
  await expect(page.getByRole("log")).toContainText("60");
  await page.keyboard.press("Escape");
  const moving = await page.evaluate(() => [...(Reflect.get(window, "moving") as Set<string>)]);
  expect(moving).toEqual([]);
});

test("at 200 % zoom what floats over the canvas covers no card, also with the chat open", async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 450 });
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  const titles = ["Chat message", "Agent", "Demo model", "Window memory", "Calculator", "HTTP request"];
  for (const title of titles) await nodeCard(page, title).locator(".card-title").click({ trial: true });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toBeVisible();
  for (const title of titles) await nodeCard(page, title).locator(".card-title").click({ trial: true });
  await page.getByRole("button", { name: "Add node" }).click();
  await expect(page.getByRole("searchbox", { name: "Search nodes" })).toBeFocused();
});
