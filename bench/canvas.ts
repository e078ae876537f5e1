import { chromium, type Browser, type Page } from "@playwright/test";
import { startStudio, type Studio } from "../e2e/studio.ts";
import { findChromium } from "../scripts/chromium.mjs";
import type { WorkflowDocument } from "../src/engine/document/workflow-document.ts";
import { createAuthService } from "../src/host/auth-service.ts";
import { createSupabaseClient, sessionStorageKey } from "../src/host/supabase-client.ts";
import { createWorkflowRepository } from "../src/host/workflow-repository.ts";
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
import { limitRow, type Bench, type Row } from "./measure.ts";

const sizes = [100, 500, 1_000, 2_000] as const;

/** Milliseconds that the canvas may take to stand, by number of nodes. */
const openLimits: Readonly<Record<(typeof sizes)[number], number>> = {
  100: 1_200,
  500: 2_000,
  1_000: 4_000,
  2_000: 8_000,
};

/** Frames per second, held against the goal or, on a machine that cannot reach it at all, against the bare page. */
function rateRow(name: string, value: number, baseline: number, goal: number): Row {
  const met = value >= 0.9 * Math.min(goal, baseline);
  return { name, value, unit: "fps", baseline, ratio: value / baseline, goal: `≥ ${goal} fps, or as bare`, met };
}

/** A guest of the studio, with what a browser has to keep to be that guest. */
export async function enter(studio: Studio) {
  const html = await (await fetch(studio.url)).text();
  const config = /id="switchyard-config"[^>]*>([^<]+)</.exec(html)?.[1];
  if (config === undefined) throw new Error("The studio's page names no Supabase.");
  const { supabaseKey } = JSON.parse(config) as { supabaseKey: string };
  const client = createSupabaseClient(
    { supabaseUrl: studio.url, supabaseKey, embedded: true },
    { persistSession: false },
  );
  await createAuthService(client, null).enterAsGuest();
  const { data } = await (await client.auth()).getSession();
  const workflows = createWorkflowRepository(client);
  return {
    storage: { [sessionStorageKey]: JSON.stringify(data.session) },
    async addressOf(document: WorkflowDocument) {
      await workflows.create(document);
      return `${studio.url}/w/${document.id}`;
    },
  };
}

type Guest = Awaited<ReturnType<typeof enter>>;

async function zoomToOne(page: Page): Promise<void> {
  const zoomIn = page.getByRole("button", { name: "Zoom in" });
  for (let press = 0; press < 24; press += 1) {
    if ((await page.locator(".canvas").getAttribute("data-zoom")) === "close") return;
    await zoomIn.click();
    await page.waitForTimeout(220);
  }
  throw new Error("The canvas did not zoom in.");
}

async function ofSize(browser: Browser, guest: Guest, bareUrl: string, count: (typeof sizes)[number]): Promise<Row[]> {
  const url = await guest.addressOf(gridWorkflow(count));
  const bareFit = await openCanvas(browser, `${bareUrl}?nodes=${count}&view=fit`, count);
  const bareFitRate = await framesWhileDragging(bareFit.page, await emptySpot(bareFit.page));
  await close(bareFit.page);
  const bareMany = await openCanvas(
    browser,
    `${bareUrl}?nodes=${count}&view=fit&selected=${hundredOf(count).join(",")}`,
    count,
  );
  const bareManyRate = await framesWhileDragging(bareMany.page, await holdOfHundred(bareMany.page));
  await close(bareMany.page);

  const ours = await openCanvas(browser, url, count, guest.storage);
  const { page } = ours;
  await page.waitForTimeout(1_500);
  const farElements = await elementsPerNode(page);
  const fitRate = await framesWhileDragging(page, await emptySpot(page));
  await zoomToOne(page);
  const nearElements = await elementsPerNode(page);
  const panRate = await framesWhileDragging(page, await emptySpot(page));
  const dragRate = await framesWhileDragging(page, await visibleNode(page));
  await page.keyboard.press("Shift+1");
  await page.waitForTimeout(500);
  const manyRate = await framesWhileDragging(page, await selectHundred(page));
  await close(page);

  const bareOne = await openCanvas(browser, `${bareUrl}?nodes=${count}&view=one`, 1);
  await bareOne.page.waitForTimeout(500);
  const barePanRate = await framesWhileDragging(bareOne.page, await emptySpot(bareOne.page));
  const bareDragRate = await framesWhileDragging(bareOne.page, await visibleNode(bareOne.page));
  await close(bareOne.page);

  const name = `${count} nodes`;
  const first: Row[] =
    count === 100
      ? [
          limitRow("requests until the canvas stands, cold", ours.requests, "requests", 40),
          limitRow("scripts until the canvas stands, cold", ours.scriptBytes / 1000, "kB", 250),
        ]
      : [];
  return [
    ...first,
    {
      ...limitRow(`${name}: all drawn, cold`, ours.shownAfterMs, "ms", openLimits[count]),
      baseline: bareFit.shownAfterMs,
    },
    rateRow(`${name}: panning in fit view`, fitRate, bareFitRate, 45),
    rateRow(`${name}: panning at zoom 1`, panRate, barePanRate, 60),
    rateRow(`${name}: dragging one node`, dragRate, bareDragRate, 60),
    rateRow(`${name}: dragging 100 in fit view`, manyRate, bareManyRate, 30),
    limitRow(`${name}: elements per node in fit view`, farElements, "elements", 12),
    limitRow(`${name}: elements per node at zoom 1`, nearElements, "elements", 12),
  ];
}

/** How many nodes React renders for one step of a drag, and for one word of a model's answer. */
async function renders(browser: Browser, guest: Guest): Promise<Row[]> {
  const url = await guest.addressOf(streamingWorkflow(20));
  const { page } = await openCanvas(browser, url, 20, guest.storage, watchRenders);
  await page.waitForTimeout(1_500);
  const byDrag = await nodesRenderedPerCommit(page, async () => {
    await framesWhileDragging(page, await visibleNode(page));
  });
  await page.keyboard.press("Escape");
  const byToken = await nodesRenderedPerCommit(page, async () => {
    await page.getByRole("button", { name: "Test", exact: true }).click();
    const done = page.locator(".react-flow__node[data-id=agent] .card-run[data-status=done]");
    await done.waitFor({ state: "attached", timeout: 30_000 });
  });
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
      const guest = await enter(studio);
      // The first visit warms the server up, not the browser, which forgets it.
      await close((await openCanvas(browser, await guest.addressOf(gridWorkflow(20)), 20, guest.storage)).page);
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
