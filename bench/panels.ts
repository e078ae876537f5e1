import { type Browser, chromium, type Page } from "@playwright/test";
import { startStudio } from "../e2e/studio.ts";
import { findChromium } from "../scripts/chromium.mjs";
import { newGuest } from "../e2e/guest.ts";
import { longRunWorkflow, longTasks } from "./canvas/long-run.ts";
import { longestTask } from "./canvas/main-thread.ts";
import { close, openCanvas } from "./canvas/open-canvas.ts";
import { limitRow, type Bench, type Row } from "./measure.ts";

/** Each is twenty-four events: see `longRunWorkflow`. */
const items = 420;
const tabs = ["Steps", "Waterfall", "Logs"] as const;

const limitMs = 50;

/** A task over the limit is a stutter: how many there were, the longest, and how much of it was the page's own work. */
async function rows(name: string, browser: Browser, page: Page, work: () => Promise<void>): Promise<Row[]> {
  let stutters = { count: 0, longestMs: 0 };
  const longest = await longestTask(browser, page, async () => {
    stutters = await longTasks(page, work);
  });
  return [
    limitRow(`${name}: tasks over ${limitMs} ms`, stutters.count, "tasks", 0),
    limitRow(`${name}: longest task`, longest.clockMs, "ms", limitMs),
    limitRow(`${name}: longest task, processor time`, longest.processorMs, "ms", limitMs),
  ];
}

async function scrollThrough(page: Page, label: string): Promise<void> {
  const list = page.getByRole("tabpanel").getByRole("listbox", { name: label === "Logs" ? "Log" : label });
  await list.hover();
  for (let turn = 0; turn < 20; turn += 1) {
    await page.mouse.wheel(0, 2_000);
    await page.waitForTimeout(30);
  }
}

/** A run of some 10,000 events, watched while it goes on and looked through afterwards. */
export const panelsBench: Bench = {
  id: "panels",
  title: "A run of 10,000 events in the panels",
  async run() {
    const studio = await startStudio({ allowHosts: [] });
    const asRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({ executablePath: findChromium(), args: asRoot ? ["--no-sandbox"] : [] });
    try {
      const guest = await newGuest(studio);
      const { page } = await openCanvas(browser, await guest.addressOf(longRunWorkflow(items)), 4, guest.storage);
      await page.waitForTimeout(2_000);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.waitForTimeout(500);
      const result: Row[] = [];
      const live = await rows("while it runs", browser, page, async () => {
        await page.getByRole("button", { name: "Test", exact: true }).click();
        const done = page.locator(".react-flow__node[data-id=each] .card-run[data-status=done]");
        await done.waitFor({ state: "attached", timeout: 180_000 });
      });
      result.push(...live);
      for (const tab of tabs) {
        const looked = await rows(`${tab}, opened and scrolled`, browser, page, async () => {
          await page.getByRole("tab", { name: tab, exact: true }).click();
          await page.waitForTimeout(500);
          await scrollThrough(page, tab);
        });
        result.push(...looked);
      }
      await close(page);
      return result;
    } finally {
      await browser.close();
      await studio.stop();
    }
  },
};
