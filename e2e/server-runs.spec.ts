import type { Page } from "@playwright/test";
import { enterWithTemplate, expect, saved, test } from "./fixtures.ts";
import { adds, holdBack } from "./hold-back.ts";
import { look } from "./look.ts";
import { publishOpened } from "./published-runs.ts";
import { startStudio } from "./studio.ts";
import { enterWithSketch, importSketch } from "./vendor-agent.ts";

const barOf = (page: Page) => page.getByRole("region", { name: "Server run" });

/** Addresses are unique in the studio, which other tests share. */
async function publishNow(page: Page, address: string): Promise<void> {
  await publishOpened(page, { address });
}

async function runOnServer(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Run options" }).click();
  await page.getByRole("menuitem", { name: "Run on server…" }).click();
  const dialog = page.getByRole("dialog", { name: "Run on server" });
  await expect(dialog.getByLabel("Input")).toHaveValue(/"n": 2/);
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page).toHaveURL(/\/runs\//);
}

test("a published workflow runs on the server, and its page follows it to the end", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);

  const dialog = page.getByRole("dialog", { name: "Run on server" });
  await page.getByRole("button", { name: "Run options" }).click();
  await page.getByRole("menuitem", { name: "Run on server…" }).click();
  await expect(dialog).toContainText("Publish this workflow first");
  await look(page, "wide-server-run-unpublished");
  await dialog.getByRole("button", { name: "Publish…" }).click();
  const publish = page.getByRole("dialog", { name: "Publish" });
  await publish.getByLabel("Address").fill("asked-on-the-server");
  await publish.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(publish.getByRole("status").filter({ hasText: "Version 1 is live" })).toBeVisible();
  await publish.getByRole("button", { name: "Done" }).click();

  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox", { name: "Search actions, nodes and workflows" })).toBeFocused();
  await page.keyboard.type("run on server");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("combobox", { name: "Version" })).toHaveValue("live");
  await dialog.getByLabel("Message").fill("What is 12.5% of 480?");
  await look(page, "wide-server-run-start");
  await dialog.getByRole("button", { name: "Run", exact: true }).click();

  await expect(page).toHaveURL(/\/runs\//);
  const bar = barOf(page);
  await expect(bar).toContainText("On the server, version 1");
  await expect(bar.getByRole("status").first()).toHaveText("Completed", { timeout: 90_000 });
  await expect(bar).toContainText("worker studio-1");
  await expect(bar.getByRole("button", { name: "Stop" })).toBeHidden();
  await expect(page.getByRole("region", { name: "Replay" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Check decisions" })).toBeVisible();
  await page.getByRole("button", { name: "Save as test case", exact: true }).click();
  const testCase = page.getByRole("dialog", { name: "Save as test case" });
  await expect(testCase).toContainText("Calls calculator");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Chat" }).click();
  await expect(page.getByRole("log", { name: "Conversation" })).toContainText("60");
  await look(page, "wide-server-run-done");
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-server-run-done");
});

test("a run that failed on the server is retried from the failed step", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterWithSketch(page, "Fails", {
    nodes: {
      start: { type: "manual-trigger", title: "Start", config: { input: { n: 2 } } },
      broken: { type: "code", title: "Broken", config: { code: 'throw new Error("No such thing");' } },
    },
    edges: [["start.main", "broken.main"]],
  });
  await saved(page);
  await publishNow(page, "fails-on-the-server");
  await runOnServer(page);
  const bar = barOf(page);
  await expect(bar.getByRole("status").first()).toHaveText("Failed", { timeout: 90_000 });
  await look(page, "wide-server-run-failed");
  const failed = page.url();
  await bar.getByRole("button", { name: "Retry from the failed step" }).click();
  await expect(page).not.toHaveURL(failed);
  await expect(page.getByRole("button", { name: "Compare with the original" })).toBeVisible();
  await expect(bar.getByRole("status").first()).toHaveText("Failed", { timeout: 90_000 });

  // Who has gone elsewhere while a run is started is not called back to it.
  const starting = await holdBack(page, /rpc\/studio_start_run/, adds);
  await bar.getByRole("button", { name: "Retry from the failed step" }).click();
  await starting.asked;
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  const rows = page.getByRole("list", { name: "Stored runs" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await rows
    .first()
    .getByRole("button", { name: /^Actions/ })
    .click();
  await page.getByRole("menuitem", { name: "Retry from the failed step" }).click();
  await page.getByRole("link", { name: "Tests", exact: true }).click();
  const visited: string[] = [];
  page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
  starting.release();
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await expect(rows).toHaveCount(4);
  expect(visited).toEqual(["/runs"]);
});

test("without a worker a run says what to do, and is cancelled in the queue @rest", async ({ page }) => {
  const studio = await startStudio({ allowHosts: [], workers: 0 });
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(studio.url);
    await page.getByRole("button", { name: "Continue as guest" }).click();
    await importSketch(page, "Waits", {
      nodes: { start: { type: "manual-trigger", title: "Start", config: { input: { n: 2 } } } },
      edges: [],
    });
    await saved(page);
    await publishNow(page, "waits-for-a-worker");
    await runOnServer(page);
    const bar = barOf(page);
    await expect(bar).toContainText("Queued");
    await expect(bar).toContainText("No worker is running", { timeout: 30_000 });
    await expect(bar).toContainText("npm run worker");
    await page.screenshot({ path: "test-results/screens/wide-server-run-no-worker.png" });
    await bar.getByRole("button", { name: "Stop" }).click();
    await expect(bar.getByRole("status").first()).toHaveText("Stopped");
    await expect(bar.getByRole("button", { name: "Stop" })).toBeHidden();
    await look(page, "wide-server-run-stopped");
  } finally {
    await studio.stop();
  }
});

test("a retry whose answer is lost starts one run, however often it is retried @rest", async ({ page }) => {
  await enterWithSketch(page, "Fails once more", {
    nodes: {
      start: { type: "manual-trigger", title: "Start", config: { input: { n: 2 } } },
      broken: { type: "code", title: "Broken", config: { code: 'throw new Error("No such thing");' } },
    },
    edges: [["start.main", "broken.main"]],
  });
  await saved(page);
  await publishNow(page, "fails-once-more");
  await runOnServer(page);
  await expect(barOf(page).getByRole("status").first()).toHaveText("Failed", { timeout: 90_000 });
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  const rows = page.getByRole("list", { name: "Stored runs" }).getByRole("listitem");
  const retry = async () => {
    await rows
      .last()
      .getByRole("button", { name: /^Actions/ })
      .click();
    await page.getByRole("menuitem", { name: "Retry from the failed step" }).click();
  };
  const started = /rpc\/studio_start_run/;
  await page.route(started, async (route) => {
    await route.fetch();
    await route.abort();
  });
  const lost = page.waitForEvent("requestfailed", (request) => started.test(request.url()));
  await retry();
  await lost;
  await expect(rows).toHaveCount(2);
  await page.unroute(started);
  await retry();
  await expect(page).toHaveURL(/\/runs\/.+/);
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await expect(rows.last()).toBeVisible();
  await expect(rows).toHaveCount(2);
});
