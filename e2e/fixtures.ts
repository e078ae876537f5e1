import { test as base, expect, type Locator, type Page } from "@playwright/test";
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

/** Enters as a new guest and waits for the library. */
export async function enterAsGuest(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Continue as guest" }).click();
  await expect(page.getByRole("heading", { name: "Workflows" })).toBeVisible();
}

/** Makes a workflow from a template and waits for its canvas. */
export async function openTemplate(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "New workflow" }).click();
  const gallery = page.getByRole("dialog", { name: "New workflow" });
  await gallery.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  await gallery.getByRole("button", { name: "Use this template" }).click();
  await expect(page).toHaveURL(/\/w\//);
  await expect(page.getByRole("button", { name: "Test", exact: true })).toBeVisible();
}

/** Agrees to whatever an imported workflow would contact or run, once its canvas stands. */
export async function acceptImported(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Test", exact: true })).toBeVisible();
  if (!(await page.getByRole("button", { name: "Review", exact: true }).isVisible())) return;
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Mark all as reviewed" }).click();
}

/** A node on the canvas by its title. */
export function nodeCard(page: Page, title: string): Locator {
  return page
    .locator(".react-flow__node")
    .filter({ has: page.locator(".card-title", { hasText: new RegExp(`^${title}$`) }) });
}

/** Types into the chat and sends. */
export async function ask(page: Page, message: string): Promise<void> {
  const box = page.getByRole("textbox", { name: /message/i });
  await box.fill(message);
  await box.press("Enter");
}

/** Waits until nothing is left to save. */
export async function saved(page: Page): Promise<void> {
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
}
