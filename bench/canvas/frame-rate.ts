import type { Page } from "@playwright/test";

/** A place on the page, in pixels. */
interface Point {
  x: number;
  y: number;
}

/**
 * An empty spot of the canvas, as near to its middle as there is one. Looks in rings around the middle and stops at the
 * first: asking what lies at a point takes milliseconds where there are a thousand wires.
 */
export function emptySpot(page: Page): Promise<Point> {
  return page.evaluate(() => {
    const box = document.querySelector(".react-flow")?.getBoundingClientRect();
    if (!box) throw new Error("The page shows no canvas.");
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    const step = 8;
    for (let ring = 0; ring * step < Math.max(box.width, box.height) / 2; ring += 1) {
      const points = Math.max(1, ring * 8);
      for (let index = 0; index < points; index += 1) {
        const angle = (index / points) * 2 * Math.PI;
        const x = middle.x + Math.cos(angle) * ring * step;
        const y = middle.y + Math.sin(angle) * ring * step;
        if (document.elementFromPoint(x, y)?.classList.contains("react-flow__pane")) return { x, y };
      }
    }
    throw new Error("The canvas has no empty spot.");
  });
}

/** The middle of a node that lies wholly on the canvas. */
export function visibleNode(page: Page): Promise<Point> {
  return page.evaluate(() => {
    const canvas = document.querySelector(".react-flow")?.getBoundingClientRect();
    for (const node of document.querySelectorAll(".react-flow__node")) {
      const box = node.getBoundingClientRect();
      const point = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
      if (!canvas || box.left < canvas.left + 300 || box.top < canvas.top + 100) continue;
      if (document.elementFromPoint(point.x, point.y)?.closest(".react-flow__node") === node) return point;
    }
    throw new Error("No node is in view.");
  });
}

const moves = 48;
const reach = 240;

/** Drags from `from` to and fro with a real mouse; gives the frames per second meanwhile. */
export async function framesWhileDragging(page: Page, from: Point): Promise<number> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  // The first move only tells a drag from a click.
  await page.mouse.move(from.x + 4, from.y + 4);
  await page.evaluate(() => {
    const counter = { frames: 0, from: performance.now() };
    const count = (): void => {
      counter.frames += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    Object.assign(window, { frameCounter: counter });
  });
  for (let move = 1; move <= moves; move += 1) {
    const swing = Math.sin((move / moves) * 2 * Math.PI) * reach;
    await page.mouse.move(from.x + swing, from.y + swing / 3);
  }
  const rate = await page.evaluate(() => {
    const counter: unknown = Reflect.get(window, "frameCounter");
    const { frames, from: started } = counter as { frames: number; from: number };
    return (frames * 1000) / (performance.now() - started);
  });
  await page.mouse.up();
  await page.waitForTimeout(300);
  return rate;
}

/** The corners of a block of ten by ten in a grid of forty columns, clear of what floats over it. */
const block = { first: 90, last: 459, columns: 40, nodes: 100 };

/** The ids of the hundred nodes that are dragged in a grid of `count`. */
export function hundredOf(count: number): string[] {
  const ids = Array.from({ length: count }, (_, index) => index);
  const within = (index: number) =>
    index >= block.first &&
    index <= block.last &&
    index % block.columns >= block.first % block.columns &&
    index % block.columns <= block.last % block.columns;
  return (count <= block.nodes ? ids : ids.filter(within)).map((index) => `n${index}`);
}

async function boxOf(page: Page, index: number) {
  const box = await page.locator(`.react-flow__node[data-id=n${index}]`).boundingBox();
  if (!box) throw new Error(`The canvas does not show the node ${index}.`);
  return box;
}

/** The middle of the first of the hundred, all of which have to be selected. */
export async function holdOfHundred(page: Page): Promise<Point> {
  const selected = await page.locator(".react-flow__node.selected").count();
  if (selected !== block.nodes) throw new Error(`${selected} nodes are selected instead of ${block.nodes}.`);
  const first = await boxOf(page, block.first);
  return { x: first.x + first.width / 2, y: first.y + first.height / 2 };
}

/** Draws a box over a hundred nodes of a grid that is wholly in view, or takes all where there are no more. */
export async function selectHundred(page: Page): Promise<Point> {
  if ((await page.locator(".react-flow__node").count()) <= block.nodes) {
    await page.keyboard.press("ControlOrMeta+a");
  } else {
    const first = await boxOf(page, block.first);
    const last = await boxOf(page, block.last);
    await page.keyboard.down("Shift");
    await page.mouse.move(first.x - 2, first.y - 2);
    await page.mouse.down();
    await page.mouse.move(last.x + last.width + 1, last.y + last.height + 1, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
  }
  return holdOfHundred(page);
}
