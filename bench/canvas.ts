import { chromium, type Browser, type Page } from "@playwright/test";
import { type Guest, newGuest } from "../e2e/guest.ts";
import { startStudio } from "../e2e/studio.ts";
import { findChromium } from "../scripts/chromium.mjs";
import { serveBareFlow } from "./canvas/bare-flow.ts";
import { gridWorkflow, streamingWorkflow } from "./canvas/bench-workflow.ts";
import {
  emptySpot,
  framesWhileDragging,
  holdOfHundred,
  hundredOf,
  selectHundred,
  visibleNode,
} from "./canvas/frame-rate.ts";
import { close, elementsPerNode, openCanvas } from "./canvas/open-canvas.ts";
import { nodesRenderedPerCommit, watchRenders } from "./canvas/render-count.ts";
import { within } from "./canvas/within.ts";
import { limitRow, rateRow, type Bench, type Row } from "./measure.ts";

const sizes = [100, 500, 1_000, 2_000] as const;

/** Milliseconds that the canvas may take to stand, by number of nodes. */
const openLimits: Readonly<Record<(typeof sizes)[number], number>> = {
  100: 1_200,
  500: 2_000,
  1_000: 1_100,
  2_000: 8_000,
};

/** What the design asks for up to a thousand nodes, in frames per second; beyond, the bare page is the measure. */
const rateGoals = { upTo: 1_000, inFitView: 45, atZoomOne: 60 };

/** Milliseconds after which a change of the view has come to rest. */
const settleMs = 500;

/** Seconds that one step of the measurement may take, ten times as long as it needs. */
const patience = 45;

const panRate = async (page: Page) => framesWhileDragging(page, await emptySpot(page));
const oneNodeRate = async (page: Page) => framesWhileDragging(page, await visibleNode(page));

async function zoomToOne(page: Page): Promise<void> {
  await page.keyboard.press("Shift+0");
  await page.locator(".canvas[data-zoom=close]").waitFor();
  await page.waitForTimeout(settleMs);
}

/** What is seen of a page of React Flow alone: the same gestures on as many nodes of the simplest kind. */
async function bareOf(browser: Browser, bareUrl: string, count: number) {
  const step = <Value>(what: string, work: () => Promise<Value>) =>
    within(`${count} nodes, bare page, ${what}`, patience, work);
  const open = (view: string, nodes: number) =>
    step("opening", () => openCanvas(browser, `${bareUrl}?nodes=${count}&view=${view}`, nodes));

  const fit = await open("fit", count);
  const fitRate = await step("panning in fit view", () => panRate(fit.page));
  await close(fit.page);
  const many = await open(`fit&selected=${hundredOf(count).join(",")}`, count);
  const manyRate = await step("dragging 100", async () =>
    framesWhileDragging(many.page, await holdOfHundred(many.page)),
  );
  await close(many.page);
  const one = await open("one", 1);
  await one.page.waitForTimeout(settleMs);
  const nearRate = await step("panning at zoom 1", () => panRate(one.page));
  const dragRate = await step("dragging one node", () => oneNodeRate(one.page));
  await close(one.page);
  return { shownAfterMs: fit.shownAfterMs, fitRate, manyRate, nearRate, dragRate };
}

async function oursOf(browser: Browser, guest: Guest, count: number) {
  const step = <Value>(what: string, work: () => Promise<Value>) => within(`${count} nodes, ${what}`, patience, work);
  const url = await guest.addressOf(gridWorkflow(count));
  const load = await step("opening", () => openCanvas(browser, url, count, guest.storage));
  const { page } = load;
  // What is loaded in idle moments has come by then.
  await page.waitForTimeout(1_500);
  const farElements = await step("counting elements in fit view", () => elementsPerNode(page));
  const fitRate = await step("panning in fit view", () => panRate(page));
  await step("zooming to 1", () => zoomToOne(page));
  const nearElements = await step("counting elements at zoom 1", () => elementsPerNode(page));
  const nearRate = await step("panning at zoom 1", () => panRate(page));
  const dragRate = await step("dragging one node", () => oneNodeRate(page));
  await step("zooming to fit", () => page.keyboard.press("Shift+1"));
  await page.waitForTimeout(settleMs);
  const manyRate = await step("dragging 100", async () => framesWhileDragging(page, await selectHundred(page)));
  await close(page);
  return { load, farElements, fitRate, nearElements, nearRate, dragRate, manyRate };
}

async function ofSize(browser: Browser, guest: Guest, bareUrl: string, count: (typeof sizes)[number]): Promise<Row[]> {
  const bare = await bareOf(browser, bareUrl, count);
  const ours = await oursOf(browser, guest, count);
  const name = `${count} nodes`;
  const goal = (rate: number) => (count <= rateGoals.upTo ? rate : undefined);
  const first: Row[] =
    count === 100 ? [limitRow("requests until the canvas stands, cold", ours.load.requests, "requests", 40)] : [];
  return [
    ...first,
    {
      ...limitRow(`${name}: all drawn, cold`, ours.load.shownAfterMs, "ms", openLimits[count]),
      baseline: bare.shownAfterMs,
    },
    rateRow(`${name}: panning in fit view`, ours.fitRate, bare.fitRate, goal(rateGoals.inFitView)),
    rateRow(`${name}: panning at zoom 1`, ours.nearRate, bare.nearRate, goal(rateGoals.atZoomOne)),
    rateRow(`${name}: dragging one node`, ours.dragRate, bare.dragRate, goal(rateGoals.atZoomOne)),
    rateRow(`${name}: dragging 100 in fit view`, ours.manyRate, bare.manyRate),
    limitRow(`${name}: elements per node in fit view`, ours.farElements, "elements", 12),
    limitRow(`${name}: elements per node at zoom 1`, ours.nearElements, "elements", 12),
  ];
}

/** How many nodes React renders for one step of a drag, and for one word of a model's answer. */
async function renders(browser: Browser, guest: Guest): Promise<Row[]> {
  const url = await guest.addressOf(streamingWorkflow(20));
  const { page } = await openCanvas(browser, url, 20, guest.storage, watchRenders);
  await page.waitForTimeout(1_500);
  const byDrag = await within("dragging while React is watched", patience, () =>
    nodesRenderedPerCommit(page, async () => void (await oneNodeRate(page))),
  );
  await page.keyboard.press("Escape");
  const byToken = await within("a run while React is watched", patience, () =>
    nodesRenderedPerCommit(page, async () => {
      await page.getByRole("button", { name: "Test", exact: true }).click();
      const done = page.locator(".react-flow__node[data-id=agent] .card-run[data-status=done]");
      await done.waitFor({ state: "attached", timeout: 30_000 });
    }),
  );
  await close(page);
  return [
    limitRow("nodes rendered by React for one step of a drag", byDrag, "nodes", 1),
    limitRow("nodes rendered by React for one frame of streamed text", byToken, "nodes", 1),
  ];
}

/** The built site on the real stack, in a real browser, next to a bare React Flow page. */
export const canvasBench: Bench = {
  id: "canvas",
  title: "Canvas against a bare React Flow page",
  async run() {
    const studio = await startStudio({ allowHosts: [] });
    const bare = await serveBareFlow();
    const asRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({ executablePath: findChromium(), args: asRoot ? ["--no-sandbox"] : [] });
    try {
      const guest = await newGuest(studio);
      // The first visit warms the server up, not the browser, which forgets it.
      const first = await guest.addressOf(gridWorkflow(20));
      await within("the first visit", patience, async () =>
        close((await openCanvas(browser, first, 20, guest.storage)).page),
      );
      const rows: Row[] = [];
      for (const count of sizes) rows.push(...(await ofSize(browser, guest, bare.url, count)));
      return [...rows, ...(await renders(browser, guest))];
    } finally {
      await browser.close();
      await bare.close();
      await studio.stop();
    }
  },
};
