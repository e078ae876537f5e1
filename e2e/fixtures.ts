import { randomUUID } from "node:crypto";
import { type BrowserContext, test as base, expect, type Locator, type Page } from "@playwright/test";
import { templates } from "../src/features/library/templates/index.ts";
import { templateDocument } from "../src/features/library/templates/template-document.ts";
import { type Guest, signInAsGuest } from "./guest.ts";
import { startJsonApi } from "./servers/json-api.ts";
import type { LoopbackServer } from "./servers/loopback-server.ts";
import { startOpenaiServer, type OpenaiServer } from "./servers/openai-server.ts";
import { startStudio, type Studio } from "./studio.ts";

interface Servers {
  /** A model vendor on loopback. */
  vendor: OpenaiServer;
  /** What the HTTP tool may read. */
  api: LoopbackServer;
  studio: Studio;
}

/** Tests with the real studio, its database and edge functions, and loopback servers for the world outside. */
export const test = base.extend<{ failures: string[] }, Servers>({
  vendor: [
    async ({}, use) => {
      const server = await startOpenaiServer();
      await use(server);
      await server.close();
    },
    { scope: "worker" },
  ],
  api: [
    async ({}, use) => {
      const server = await startJsonApi();
      await use(server);
      await server.close();
    },
    { scope: "worker" },
  ],
  studio: [
    async ({ api }, use) => {
      const studio = await startStudio({ allowHosts: [new URL(api.url).host] });
      await use(studio);
      await studio.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ studio }, use) => use(studio.url),
  /** Script errors and messages of the content security policy; no test may cause any. */
  failures: [
    async ({ page }, use) => {
      const failures: string[] = [];
      page.on("pageerror", (error) => failures.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && /Content Security Policy|Uncaught/.test(message.text()))
          failures.push(message.text());
      });
      await use(failures);
      expect(failures).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Enters as a new guest, past the sign-in page, and waits for the library. */
export async function enterAsGuest(page: Page): Promise<void> {
  await signInAsGuest(page);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Workflows", exact: true })).toBeVisible();
}

/** Enters as a new guest whose workflow is a template's, and waits for its canvas. */
export async function enterWithTemplate(page: Page, title: string): Promise<Guest> {
  const template = templates.find((one) => one.title === title);
  if (!template) throw new Error(`There is no template "${title}".`);
  const guest = await signInAsGuest(page);
  await page.goto(await guest.addressOf(templateDocument(template, randomUUID())));
  await canvasReady(page);
  return guest;
}

/** Makes a workflow from a template in the library, the way a user does, and waits for its canvas. */
export async function openTemplate(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "New workflow" }).click();
  const gallery = page.getByRole("dialog", { name: "New workflow" });
  await gallery.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  await gallery.getByRole("button", { name: "Use this template" }).click();
  await expect(page).toHaveURL(/\/w\//);
  await canvasReady(page);
}

/** Waits until the editor can be used: the canvas, unless a phone shows another part, is drawn and has come to rest. */
export async function canvasReady(page: Page): Promise<void> {
  await runEnded(page);
  const isPhone = (page.viewportSize()?.width ?? 0) < 640;
  if (!isPhone) await atRest(page);
}

/** Opens all that follows in a window whose run panel has room for a list with its detail beside it. */
export async function widePanel(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.addInitScript(() => {
    if (localStorage.getItem("switchyard:panel") === null) localStorage.setItem("switchyard:panel", '{"width":800}');
  });
}

/** Opens the page's workflow in a second tab. */
export async function secondTab(page: Page, context: BrowserContext): Promise<Page> {
  const other = await context.newPage();
  await other.goto(page.url());
  await canvasReady(other);
  await expect(nodeCard(other, "Agent")).toBeVisible();
  return other;
}

/** Waits until no run goes on: then, and only then, one can be started. */
export async function runEnded(page: Page, options?: { timeout: number }): Promise<void> {
  await expect(page.getByRole("button", { name: "Test", exact: true })).toBeVisible(options);
}

/** Opens a view of the run in the run panel. */
export async function showRun(page: Page, view: "Steps" | "Waterfall" | "Logs" | "Files"): Promise<void> {
  await page.getByRole("tab", { name: "Run", exact: true }).click();
  await page.getByRole("tab", { name: view, exact: true }).click();
}

/** Whether the browser would ask before the page is closed. */
export async function asksBeforeClosing(page: Page): Promise<boolean> {
  return page.evaluate(() => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })));
}

/** Waits until all runs of the page are stored to their end, so that it can be left. */
export async function runsStored(page: Page): Promise<void> {
  await expect.poll(() => asksBeforeClosing(page)).toBe(false);
}

/** Waits until the view of the canvas has not moved for a few frames, so that places measured on it hold. */
export async function atRest(page: Page): Promise<void> {
  await page.locator(".react-flow__viewport").evaluate(
    (viewport) =>
      new Promise<void>((resolve) => {
        let place = "";
        let still = 0;
        const look = (): void => {
          const { x, y, width } = viewport.getBoundingClientRect();
          const now = `${x} ${y} ${width} ${getComputedStyle(viewport).transform}`;
          still = now === place ? still + 1 : 0;
          place = now;
          if (still >= 8) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

/** Imports a workflow as a file from the library, agrees to what it would contact or run, and opens its canvas. */
export async function importWorkflow(page: Page, document: object): Promise<void> {
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import a workflow" });
  await dialog.locator("input[type=file]").setInputFiles({
    name: "workflow.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(document)),
  });
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page).toHaveURL(/\/w\//);
  await acceptImported(page);
}

/** Agrees to whatever an imported workflow would contact or run, once its canvas stands. */
export async function acceptImported(page: Page): Promise<void> {
  await canvasReady(page);
  // Drawn together with the canvas or not at all.
  const review = page.getByRole("button", { name: "Review", exact: true });
  if (!(await review.isVisible())) return;
  await review.click();
  const dialog = page.getByRole("dialog", { name: "Review imported nodes" });
  await dialog.getByRole("button", { name: "Mark all as reviewed" }).click();
  await expect(dialog).toBeHidden();
}

/** Makes a credential on the page of credentials, of the type and with the values given by the labels of their fields. */
export async function makeCredential(
  page: Page,
  type: RegExp,
  fields: readonly (readonly [label: RegExp, value: string])[],
  { works = true } = {},
): Promise<void> {
  await page.getByRole("button", { name: "New credential", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "New credential" });
  await choose(dialog.getByRole("combobox", { name: "Type" }), type);
  for (const [label, value] of fields) await dialog.getByLabel(label).fill(value);
  await dialog.getByRole("button", { name: "Save credential" }).click();
  if (!works) await dialog.getByRole("button", { name: "Save without testing" }).click();
}

/** Chooses from a list once it holds the option, whose text need not be given in full. */
export async function choose(list: Locator, text: string | RegExp): Promise<void> {
  const option = list.locator("option").filter({ hasText: text });
  await expect(option).toHaveCount(1);
  await list.selectOption((await option.getAttribute("value")) ?? "");
}

/** Chooses a credential for a node, by its name, and waits until that is saved. */
export async function chooseCredential(page: Page, title: string, name: string): Promise<void> {
  await nodeCard(page, title).locator(".card-title").click();
  const inspector = page.getByRole("region", { name: `Settings of ${title}` });
  await choose(inspector.getByRole("combobox", { name: /^Credential/ }), name);
  await saved(page);
}

/** A node on the canvas by its title. */
export function nodeCard(page: Page, title: string): Locator {
  return page
    .locator(".react-flow__node")
    .filter({ has: page.locator(".card-title", { hasText: new RegExp(`^${title}$`) }) });
}

/** Types into the chat and sends; the page shows that the run has begun. */
export async function ask(page: Page, message: string): Promise<void> {
  const box = page.getByRole("textbox", { name: "Message", exact: true });
  await box.fill(message);
  await box.press("Enter");
  // The page shows it right behind the key, so that the first request leaves before.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
}

/** Waits until nothing is left to save. */
export async function saved(page: Page): Promise<void> {
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
}

/** Pastes text into the page where no field has the keyboard. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((content) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", content);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
