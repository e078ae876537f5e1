import { chromium, type Page } from "@playwright/test";
import { openScales, weigh } from "../e2e/page-weight.ts";
import { startStudio } from "../e2e/studio.ts";
import { findChromium } from "../scripts/chromium.mjs";
import { newGuest } from "../e2e/guest.ts";
import { soakWorkflow } from "./canvas/long-run.ts";
import { close, openCanvas } from "./canvas/open-canvas.ts";
import { limitRow, median, time, type Bench } from "./measure.ts";

/** Runs of one tab: those that fill what it keeps, and those that are measured, of which the first and last are compared. */
const [warmUp, measured, compared] = [40, 60, 15];

const runIn = async (page: Page) => {
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("What is 20 + 22?");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Stop", exact: true }).first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Test", exact: true }).waitFor();
};

/** Many runs in one tab: what each leaves behind, and whether they become slower. */
export const soakBench: Bench = {
  id: "soak",
  title: `${measured} chat runs in one tab, after ${warmUp} others`,
  async run() {
    const studio = await startStudio({ allowHosts: [] });
    const asRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({ executablePath: findChromium(), args: asRoot ? ["--no-sandbox"] : [] });
    try {
      const guest = await newGuest(studio);
      const { page } = await openCanvas(browser, await guest.addressOf(soakWorkflow()), 4, guest.storage);
      await page.getByRole("button", { name: "Test", exact: true }).click();
      for (let turn = 0; turn < warmUp; turn += 1) await runIn(page);
      const scales = await openScales(page);
      const before = await weigh(scales);
      const times: number[] = [];
      for (let turn = 0; turn < measured; turn += 1) times.push(await time(() => runIn(page)));
      const after = await weigh(scales);
      await close(page);
      const perRun = (from: number, to: number) => (to - from) / measured;
      const [first, last] = [median(times.slice(0, compared)), median(times.slice(-compared))];
      return [
        limitRow("heap that a run leaves", perRun(before.heapBytes, after.heapBytes) / 1_000, "kB", 10),
        limitRow("DOM nodes that a run leaves", perRun(before.nodes, after.nodes), "nodes", 2),
        limitRow("listeners that a run leaves", perRun(before.listeners, after.listeners), "listeners", 1),
        {
          name: `a run, the last ${compared} against the first ${compared}`,
          value: last,
          unit: "ms",
          baseline: first,
          ratio: last / first,
          goal: "≤ 1.15 × first",
          met: last / first <= 1.15,
        },
      ];
    } finally {
      await browser.close();
      await studio.stop();
    }
  },
};
