import { readFile, writeFile } from "node:fs/promises";
import type { Browser, Page, Route } from "@playwright/test";
import { examine } from "./examine.ts";
import { ask, canvasReady, enterWithTemplate, expect, nodeCard, runEnded, runsStored, test } from "./fixtures.ts";
import type { Guest } from "./guest.ts";
import { look } from "./look.ts";

const question = "What is 12.5% of 480?";

/** Runs the template's agent once; gives the path of the run's page, with that page open. */
async function openRun(page: Page): Promise<{ guest: Guest; path: string }> {
  const guest = await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, question);
  await expect(page.getByRole("log")).toContainText("60");
  await runEnded(page);
  await runsStored(page);
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("list", { name: "Stored runs" }).getByRole("link").first().click();
  await expect(page.getByRole("slider", { name: "Position in the run" })).toBeVisible();
  return { guest, path: new URL(page.url()).pathname };
}

/** A browser in which the studio has a name that others can reach. */
async function namedStudio(browser: Browser, studio: string, storage: Record<string, string> = {}) {
  const origin = "http://studio.test";
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|Uncaught/.test(message.text()))
      problems.push(message.text());
  });
  const forward = async (route: Route) => {
    const headers = Object.fromEntries(
      Object.entries(await route.request().allHeaders()).map(([name, value]) => [name, value.replace(origin, studio)]),
    );
    const answer = await route.fetch({
      url: route.request().url().replace(origin, studio),
      headers: { ...headers, host: new URL(studio).host },
      maxRedirects: 0,
    });
    await route.fulfill({ response: answer });
  };
  await page.route(`${origin}/**`, forward);
  if (Object.keys(storage).length > 0) {
    await page.addInitScript((kept) => {
      for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
    }, storage);
  }
  return { page, origin, problems };
}

test("S98 a run is shared as one file, which shows its replay without a network and without its prompts", async ({
  page,
  browser,
}, info) => {
  await openRun(page);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share this run" });
  const preview = dialog.getByRole("region", { name: "Preview" });
  await expect(preview.getByRole("heading", { name: "Ask with tools" })).toBeVisible();
  await expect(preview.getByRole("list", { name: "Steps" })).toContainText("calculator");
  await expect(preview).toContainText(question);
  await expect(dialog.getByRole("button", { name: "Create link" })).toHaveCount(0);
  expect(await examine(page, { within: "dialog" })).toEqual([]);
  const saving = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download file" }).click();
  const file = info.outputPath("run.html");
  await (await saving).saveAs(file);
  const bytes = await readFile(file, "utf8");
  expect(bytes).toContain(question);
  expect(bytes).not.toMatch(/"messages":\[\{|"settings":\{"/);

  const other = await (await browser.newContext({ offline: true, colorScheme: "dark" })).newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  other.on("pageerror", (error) => problems.push(error.message));
  other.on("console", (message) => void (message.type() === "error" && problems.push(message.text())));
  other.on("request", (request) => requests.push(request.url()));
  await other.goto(`file://${file}`);
  await expect(other.getByRole("heading", { name: "Ask with tools" })).toBeVisible();
  const slider = other.getByRole("slider", { name: "Position in the run" });
  await expect(other.getByRole("region", { name: "Run", exact: true })).toContainText("60");
  await slider.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /The run starts/);
  await expect(other.getByRole("list", { name: "Steps" })).not.toContainText("calculator");
  expect(await examine(other)).toEqual([]);

  const said = "<img src=x onerror=window.owned=1>[a](javascript:window.owned=1)";
  const hostile = bytes.replace(/(?<=id="shared-run">)[^<]*/, (data) =>
    data
      .replaceAll(/"(title|text|response|message|toolName)":"[^"]*"/g, (_all, name) => `"${name}":"${said}"`)
      .replaceAll("<", String.raw`\u003c`),
  );
  await writeFile(file, hostile);
  await other.reload();
  await expect(other.getByRole("heading", { name: said })).toBeVisible();
  await expect(other.getByRole("region", { name: "Run", exact: true })).toContainText("<img src=x");
  expect(await other.locator("img, a[href^=javascript]").count()).toBe(0);
  expect(await other.evaluate(() => "owned" in window)).toBe(false);
  expect({ problems, requests: requests.filter((url) => !url.startsWith("file:")) }).toEqual({
    problems: [],
    requests: [],
  });
  await other.context().close();
});

test("S98 a run is shared by a link, seen by somebody without an account, and revoked", async ({
  page,
  browser,
  studio,
}) => {
  const { guest, path } = await openRun(page);
  const owner = await namedStudio(browser, studio.url, guest.storage);
  await owner.page.goto(`${owner.origin}${path}`);
  await owner.page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = owner.page.getByRole("dialog", { name: "Share this run" });
  await dialog.getByRole("switch", { name: "Tool calls and data" }).click();
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  expect(link).toMatch(/^http:\/\/studio\.test\/s\/[0-9a-f]{32}$/);
  await expect(dialog.getByRole("region", { name: "Links to this run" })).toContainText("with data");

  const stranger = await namedStudio(browser, studio.url);
  const answer = await stranger.page.goto(link);
  expect(answer?.headers()["x-frame-options"]).toBe("DENY");
  expect(answer?.headers()["x-robots-tag"]).toContain("noindex");
  await expect(stranger.page.getByRole("heading", { name: "Ask with tools" })).toBeVisible();
  await expect(stranger.page.getByRole("region", { name: "Run", exact: true })).toContainText("60");
  const calls = stranger.page.getByRole("list", { name: "Steps" }).locator("details");
  const call = calls.filter({ has: stranger.page.locator("summary", { hasText: /^calculator/ }) });
  await call.locator("summary").click();
  await expect(call).toContainText("Arguments");
  expect(await examine(stranger.page)).toEqual([]);

  await dialog.getByRole("button", { name: /^Revoke/ }).click();
  await expect(dialog.getByRole("region", { name: "Links to this run" })).toHaveCount(0);
  await stranger.page.reload();
  await expect(stranger.page.getByRole("heading", { name: "There is no run here" })).toBeVisible();
  expect([...owner.problems, ...stranger.problems]).toEqual([]);
  await Promise.all([owner.page.context().close(), stranger.page.context().close()]);
});

test("a run is shared from its answer, the Run tab and the history, and replayed under its answer after a reload", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, question);
  const log = page.getByRole("log", { name: "Conversation" });
  await expect(log).toContainText("60");
  await runEnded(page);
  await runsStored(page);
  await page.reload();
  await canvasReady(page);
  await expect(log).toContainText("60");
  await log.getByRole("button", { name: "See how it got there" }).click();
  const slider = log.getByRole("slider", { name: "Position in the run" });
  await expect(slider).toBeVisible();
  await expect(nodeCard(page, "Calculator").locator(".card-run")).toHaveCount(1);
  await slider.press("Home");
  await expect(nodeCard(page, "Calculator").locator(".card-run")).toHaveCount(0);
  await slider.press("End");

  const dialog = page.getByRole("dialog", { name: "Share this run" });
  const seen = async () => {
    await expect(dialog.getByRole("region", { name: "Preview" })).toContainText(question);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toHaveCount(0);
  };
  await log.getByRole("button", { name: "Share this run" }).click();
  await seen();
  await page.getByRole("tab", { name: "Run", exact: true }).click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await seen();
  await page.getByRole("tab", { name: "History" }).click();
  await page.getByRole("button", { name: /^Actions for the run of/ }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  await seen();
});

test("on a phone the replay of an answer shows the canvas at each moment @rest", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterWithTemplate(page, "Ask with tools");
  await ask(page, question);
  const log = page.getByRole("log", { name: "Conversation" });
  await runEnded(page);
  const slider = log.getByRole("slider", { name: "Position in the run" });
  await expect(slider).toBeVisible();
  const done = log.locator(".card-run");
  await expect(done.first()).toBeVisible();
  await slider.press("Home");
  await expect(done).toHaveCount(0);
  await slider.press("End");
  await look(page, "phone-replay", { both: true });
});
