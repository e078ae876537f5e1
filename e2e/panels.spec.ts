import type { Page } from "@playwright/test";
import { atRest, canvasReady, enterWithTemplate, expect, nodeCard, test } from "./fixtures.ts";

const panel = (page: Page) => page.getByRole("complementary", { name: "Run panel" });
const settings = (page: Page) => page.getByRole("region", { name: "Settings of Agent" });

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not shown.`);
  return box;
}

async function expectHalf(page: Page): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const canvas = await boxOf(page, ".react-flow");
  expect(canvas.width).toBeGreaterThanOrEqual(width / 2);
  expect(canvas.height).toBeGreaterThanOrEqual(height / 2);
}

test("the run panel stands at the right, the settings share its place, and the canvas keeps half of the window", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toBeFocused();
  const canvas = await boxOf(page, ".react-flow");
  const side = await panel(page).boundingBox();
  expect(side?.x).toBeGreaterThanOrEqual(canvas.x + canvas.width);
  expect(canvas.height).toBeGreaterThan(600);

  // One place for both below 1700 px: a card brings its settings, a tab or a key the panel again.
  await nodeCard(page, "Agent").locator(".card-title").click();
  await expect(settings(page)).toBeVisible();
  await expect(page.getByRole("tab", { name: "Node" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toBeHidden();
  expect((await boxOf(page, ".react-flow")).width).toBe(canvas.width);
  await page.getByRole("tab", { name: "Chat" }).click();
  await expect(settings(page)).toBeHidden();
  await nodeCard(page, "Agent").locator(".card-title").click();
  await expect(settings(page)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+j");
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toBeVisible();

  for (const viewport of [
    { width: 640, height: 480 },
    { width: 1100, height: 720 },
    { width: 768, height: 1024 },
    { width: 1440, height: 900 },
    { width: 1920, height: 1080 },
  ]) {
    await page.setViewportSize(viewport);
    await atRest(page);
    await expectHalf(page);
  }
  await expect(settings(page)).toBeVisible();
  await expect(panel(page)).toBeVisible();

  // Sizes stay, and no drag takes more than half.
  await page.getByRole("separator", { name: "Width of the settings" }).press("ArrowLeft");
  await page.getByRole("separator", { name: "Size of the run panel" }).press("End");
  await expectHalf(page);
  const kept = await panel(page).boundingBox();
  await page.reload();
  await canvasReady(page);
  await nodeCard(page, "Agent").locator(".card-title").click();
  await expect(settings(page)).toBeVisible();
  await expect.poll(() => panel(page).boundingBox()).toEqual(kept);
});

test("the canvas keeps half of the window beside the assistant too, for which the run panel gives way where it must", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.keyboard.press("ControlOrMeta+i");
  const assistant = page.getByRole("complementary", { name: "Assistant" });
  for (const [width, height, both] of [
    [1920, 1080, true],
    [1440, 900, true],
    [1366, 768, false],
    [1280, 720, false],
    [1024, 700, false],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(assistant).toBeVisible();
    await expect(panel(page)).toHaveCount(both ? 1 : 0);
    await atRest(page);
    await expectHalf(page);
  }
  await page.getByRole("navigation", { name: "Run panel" }).getByRole("button", { name: "Chat" }).click();
  await expect(assistant).toBeHidden();
  await expect(panel(page)).toBeVisible();
  await atRest(page);
  await expectHalf(page);
});
