import { chromium, type Browser } from "@playwright/test";
import { startStudio } from "../e2e/studio.ts";
import { findChromium } from "../scripts/chromium.mjs";
import { type Guest, newGuest } from "../e2e/guest.ts";
import { close, openCanvas } from "./canvas/open-canvas.ts";
import { limitRow, median, ratioRow, type Bench, type Row } from "./measure.ts";
import { bareCalls, bareRead, timeTurn, type TurnTimes, watchTurns } from "./product/chat-turn.ts";
import { chatWorkflow } from "./product/chat-workflow.ts";
import { openingStoredRun } from "./product/stored-run.ts";
import { startVendorServer } from "./vendor-server.ts";

/** Turns of one conversation: the first ones load what later ones have. An account may make 240 model calls a minute. */
const plain = { calls: 0, warmUp: 4, measured: 16 };
const withTools = { calls: 10, warmUp: 3, measured: 7 };

/** How many times as long as its model calls alone a run with tool calls may take. */
const mostOfBare = 1.8;

/** One conversation, with what its model calls alone take from the same page after each of its turns. */
async function conversation(browser: Browser, guest: Guest, credential: string, turns: typeof plain) {
  const url = await guest.addressOf(chatWorkflow(credential, turns.calls));
  const { page } = await openCanvas(browser, url, 5, guest.storage);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  await watchTurns(page);
  const times: TurnTimes[] = [];
  const bare: number[] = [];
  const reads: number[] = [];
  for (let turn = 0; turn < turns.warmUp + turns.measured; turn += 1) {
    const took = await timeTurn(page, `Question ${turn}`);
    if (turn < turns.warmUp) continue;
    times.push(took);
    bare.push(await bareCalls(page, credential, turns.calls));
    reads.push(await bareRead(page));
  }
  await close(page);
  return {
    bare: median(bare),
    read: median(reads),
    of: (name: keyof TurnTimes) => median(times.map((each) => each[name])),
  };
}

async function chat(browser: Browser, guest: Guest, credential: string): Promise<Row[]> {
  const short = await conversation(browser, guest, credential, plain);
  const long = await conversation(browser, guest, credential, withTools);
  const run = `a run with ${withTools.calls} tool calls`;
  const beside = (row: Row, baseline: number): Row => ({ ...row, baseline, ratio: row.value / baseline });
  return [
    // Beside one read from the database: the conversation is read first.
    beside(limitRow("Enter → first model request leaves", short.of("firstRequest"), "ms", 25), short.read),
    beside(limitRow("Enter → answer complete", short.of("answered"), "ms", 60), short.bare),
    // An answer this quick is there before the question is drawn, so that drawing it is in this one.
    limitRow("answer complete → input free again", short.of("inputFree"), "ms", 10),
    ratioRow(`${run}: answer complete`, { ours: long.of("answered"), bare: long.bare }, mostOfBare),
    limitRow(`${run}: answer complete → input free again`, long.of("inputFree"), "ms", 10),
    ratioRow(`${run}: everything stored`, { ours: long.of("stored"), bare: long.bare }, mostOfBare),
  ];
}

/** What a person waits for: the built site on the embedded stack, in a real browser, with a vendor that answers at once. */
export const productBench: Bench = {
  id: "product",
  title: "What a person waits for, in a browser on the embedded stack",
  async run() {
    const vendor = await startVendorServer();
    const studio = await startStudio({ allowHosts: [new URL(vendor.url).host] });
    const asRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({ executablePath: findChromium(), args: asRoot ? ["--no-sandbox"] : [] });
    try {
      const guest = await newGuest(studio);
      const credential = await guest.credentialFor(vendor.url);
      return [...(await chat(browser, guest, credential)), ...(await openingStoredRun(browser, guest))];
    } finally {
      await browser.close();
      await studio.stop();
      await vendor.close();
    }
  },
};
