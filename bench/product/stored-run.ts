import { randomUUID } from "node:crypto";
import type { Browser } from "@playwright/test";
import type { Guest } from "../../e2e/guest.ts";
import type { RunEvent } from "../../src/engine/run/events.ts";
import { runWorkflow } from "../../src/engine/run/run-workflow.ts";
import { testHost } from "../../src/engine/testing/test-host.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { longRunWorkflow, longTasks } from "../canvas/long-run.ts";
import { longestTask } from "../canvas/main-thread.ts";
import { close, openCanvas } from "../canvas/open-canvas.ts";
import { limitRow, type Row } from "../measure.ts";

/** Each is twenty-four events: see `longRunWorkflow`. */
const items = 420;
const limitMs = 25;

/** Stores a run of some 10,000 events as a tab does. Gives its id. */
async function storeRun({ runs, workflows }: Guest): Promise<string> {
  const document = longRunWorkflow(items);
  const [runId, startedAt] = [randomUUID(), Date.now()];
  const events: RunEvent[] = [];
  const host = testHost({ startsAt: startedAt });
  const input = { items: Array.from({ length: items }, (_, index) => `Item ${index}`) };
  for await (const event of runWorkflow(document, { registry: nodeRegistry, host, input, runId })) events.push(event);
  await workflows.create(document);
  await runs.start({ id: runId, workflowId: document.id, input, document, startedAt });
  for (let start = 0; start < events.length; start += 500) {
    await runs.appendEvents(runId, events.slice(start, start + 500));
  }
  const last = events.at(-1);
  if (last?.type !== "run-end" || last.outcome !== "completed") throw new Error("The long run did not complete.");
  const end = { status: last.outcome, output: last.output, error: null, totalTokens: 0, costUsd: null };
  await runs.finish(runId, { ...end, endedAt: last.at });
  return runId;
}

/** Opening a stored run of some 10,000 events from the list of runs, once that page's own parts have been loaded. */
export async function openingStoredRun(browser: Browser, guest: Guest): Promise<Row[]> {
  const runId = await storeRun(guest);
  const { page } = await openCanvas(browser, `${guest.url}/runs/${runId}`, 4, guest.storage);
  const link = page.locator(`a[href="/runs/${runId}"]`).first();
  const steps = page.getByRole("listbox", { name: "Steps" }).getByRole("option").first();
  const toList = async () => {
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await link.waitFor();
    await page.waitForTimeout(1_000);
  };
  await steps.waitFor();
  await toList();
  let stutters = { count: 0, longestMs: 0 };
  const longest = await longestTask(browser, page, async () => {
    stutters = await longTasks(page, async () => {
      await link.click();
      await steps.waitFor();
      await page.waitForTimeout(1_000);
    });
  });
  await close(page);
  const name = "opening a stored run of 10,000 events";
  return [
    limitRow(`${name}: longest task`, longest.clockMs, "ms", limitMs),
    limitRow(`${name}: longest task, processor time`, longest.processorMs, "ms", limitMs),
    limitRow(`${name}: tasks over 50 ms`, stutters.count, "tasks", 0),
  ];
}
