import type { Locator, Page } from "@playwright/test";
import { atRest } from "./fixtures.ts";

/** A place on the page, in pixels. */
interface Place {
  x: number;
  y: number;
}

/** The port of a card, by its name. */
export const port = (card: Locator, name: string): Locator =>
  card.locator(`.react-flow__handle[data-handleid="${name}"]`);

/** The middle of an element. */
export async function center(locator: Locator): Promise<Place> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("The element is not on the page.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Takes the middle of an element on the canvas somewhere else, once nothing moves there, and holds it there. */
export async function hold(page: Page, from: Locator, to: Locator | Place): Promise<void> {
  await atRest(page);
  const start = await center(from);
  const end = "x" in to ? to : await center(to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 5 });
  await page.mouse.move(end.x, end.y, { steps: 5 });
}

/** Takes the middle of an element and lets go of it somewhere else. */
export async function drag(page: Page, from: Locator, to: Locator | Place): Promise<void> {
  await hold(page, from, to);
  await page.mouse.up();
}

/** Adds a node by its entry in the palette. */
export async function addByClick(page: Page, search: string, name: RegExp): Promise<void> {
  const palette = page.getByRole("searchbox", { name: /node/i });
  if (!(await palette.isVisible())) await page.getByRole("button", { name: "Add node" }).click();
  await palette.fill(search);
  await page.getByRole("button", { name }).first().click();
}
