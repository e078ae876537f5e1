import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { atRest, canvasReady, enterWithTemplate, expect, nodeCard, openTemplate, saved, test } from "./fixtures.ts";

/** A browser with a profile of its own that can be killed at any moment. */
interface MortalBrowser {
  page: Page;
  /** Ends all of its processes at once: nothing is said to pages, nothing is written out. */
  kill(): Promise<void>;
}

async function launch(profile: string): Promise<MortalBrowser> {
  const browserProcess = spawn(
    process.env.CHROMIUM_PATH ?? chromium.executablePath(),
    [
      "--headless=new",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "--window-size=1440,900",
      "about:blank",
    ],
    { detached: true, stdio: ["ignore", "ignore", "pipe"] },
  );
  const browser = await chromium.connectOverCDP(await debuggerOf(browserProcess));
  const [context] = browser.contexts();
  const page = context?.pages()[0];
  if (page === undefined) throw new Error("The browser shows no page.");
  return {
    page,
    async kill() {
      if (browserProcess.exitCode !== null || browserProcess.signalCode !== null) return;
      const ended = new Promise((resolve) => browserProcess.once("exit", resolve));
      // The whole group, which the browser leads.
      process.kill(-(browserProcess.pid ?? 0), "SIGKILL");
      await ended;
    },
  };
}

function debuggerOf(browserProcess: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    browserProcess.stderr?.on("data", (data) => {
      printed += String(data);
      const address = /DevTools listening on (ws:\S+)/.exec(printed)?.[1];
      if (address !== undefined) resolve(address);
    });
    browserProcess.once("exit", () => reject(new Error(`The browser ended:\n${printed}`)));
  });
}

async function openNotes(page: Page) {
  await nodeCard(page, "Agent").locator(".card-title").click();
  await page.getByRole("tab", { name: "Notes" }).click();
  return page.getByRole("textbox", { name: "Notes" });
}

const keys = 150;
/** Of these at most that many may be missing after a crash: what was typed within the last second and a half. */
const lastKeys = 30;
const typed = Array.from({ length: keys }, (_, index) => `${index % 10}`).join("");

/** The last ones were never answered by the server: what comes back is this browser's own. */
for (const reachable of [true, false]) {
  test(`the whole browser is killed while someone types ${reachable ? "" : "offline "}and nothing but the last keys is lost`, async ({
    baseURL,
  }) => {
    const profile = mkdtempSync(join(tmpdir(), "switchyard-profile-"));
    let browser = await launch(profile);
    try {
      await browser.page.goto(baseURL ?? "");
      await browser.page.getByRole("button", { name: "Continue as guest" }).click();
      await openTemplate(browser.page, "Ask with tools");
      await saved(browser.page);
      const address = browser.page.url();
      const notes = await openNotes(browser.page);
      // The browser writes the session out only some seconds after signing in.
      await browser.page.waitForTimeout(6_000);
      if (!reachable) await browser.page.route("**/rest/v1/**", (route) => route.abort("connectionfailed"));
      await notes.focus();
      await browser.page.keyboard.type(typed, { delay: 50 });
      await browser.kill();

      browser = await launch(profile);
      await browser.page.goto(address);
      await canvasReady(browser.page);
      await atRest(browser.page);
      const kept = await (await openNotes(browser.page)).inputValue();
      expect(typed.startsWith(kept)).toBe(true);
      expect(kept.length).toBeGreaterThanOrEqual(keys - lastKeys);
      await expect(browser.page.getByText("Changed elsewhere")).toBeHidden();
      await saved(browser.page);
    } finally {
      await browser.kill();
      rmSync(profile, { recursive: true, force: true });
    }
  });
}

test("an answer to a save is lost: it is saved all the same, and no conflict with oneself is shown", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const notes = await openNotes(page);
  let lost = 0;
  await page.route("**/rest/v1/studio_workflows?*", async (route) => {
    if (route.request().method() !== "PATCH" || lost > 0) return route.fallback();
    lost += 1;
    await route.fetch();
    await route.abort("connectionfailed");
  });
  await notes.fill("First");
  await expect.poll(() => lost).toBe(1);
  await notes.fill("Second");
  await saved(page);
  await page.reload();
  await canvasReady(page);
  await expect(await openNotes(page)).toHaveValue("Second");
});
