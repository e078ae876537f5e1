import type { Page, Route } from "@playwright/test";
import { enterAsGuest, expect, nodeCard, openTemplate, runEnded, saved, showRun, test } from "./fixtures.ts";

/** Holds back or refuses the files of one part of the site, also where the page loads it ahead. */
async function withhold(
  page: Page,
  part: string,
  answer: (route: Route) => Promise<void>,
): Promise<() => Promise<void>> {
  const files = new RegExp(`/assets/${part}-[^/]+\\.js$`);
  await page.route(files, answer);
  return () => page.unroute(files);
}

/** Lets the files of one part of the site wait until the function that it gives is called. */
async function holdBack(page: Page, part: string): Promise<() => void> {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await withhold(page, part, async (route) => {
    await arrived;
    await route.continue();
  });
  return arrive;
}

test("on a slow line each click says that its page, panel or dialog is on its way", async ({ page }) => {
  await enterAsGuest(page);
  const arrive: Record<string, () => void> = {};
  for (const part of ["canvas", "workbench", "editor-dialogs", "knowledge-pages", "templates-part"]) {
    arrive[part] = await holdBack(page, part);
  }
  // What this page has loaded ahead is asked for again.
  await page.reload();
  await page.getByRole("button", { name: "New workflow" }).first().click();
  await expect(page.getByRole("status", { name: "Loading the dialog" })).toBeVisible();
  arrive["templates-part"]?.();
  const gallery = page.getByRole("dialog", { name: "New workflow" });
  await gallery.getByRole("button", { name: /^Ask with tools/ }).click();
  await gallery.getByRole("button", { name: "Use this template" }).click();
  await expect(page.getByRole("status", { name: "Loading the page" })).toBeVisible();
  arrive["canvas"]?.();
  await nodeCard(page, "Agent").locator(".card-title").click();
  await expect(page.getByRole("status", { name: "Loading the panel" })).toBeVisible();
  arrive["workbench"]?.();
  await expect(page.getByRole("region", { name: "Settings of Agent" })).toBeVisible();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByRole("status", { name: "Loading the dialog" })).toBeVisible();
  arrive["editor-dialogs"]?.();
  await expect(page.getByRole("dialog", { name: "Publish" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Knowledge", exact: true }).click();
  await expect(page.getByRole("status", { name: "Loading the page" })).toBeVisible();
  arrive["knowledge-pages"]?.();
  await expect(page.getByText("No collections yet")).toBeVisible();
});

test("a part that cannot be loaded is said, and shown after trying again", async ({ page }) => {
  await enterAsGuest(page);
  const allow = await withhold(page, "workbench", (route) => route.abort());
  await openTemplate(page, "Ask with tools");
  await nodeCard(page, "Agent").locator(".card-title").click();
  const notice = page.getByText("A part of the page could not be loaded.");
  await expect(notice).toBeVisible();
  await expect(page.getByRole("button", { name: "Test", exact: true })).toBeEnabled();
  await allow();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("region", { name: "Settings of Agent" })).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test("a run whose engine cannot be loaded does not begin, and runs after trying again", async ({ page }) => {
  await enterAsGuest(page);
  const allow = await withhold(page, "execute-run", (route) => route.abort());
  await openTemplate(page, "Extract JSON");
  await saved(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const notice = page.getByText("The workflow engine could not be loaded.");
  await expect(notice).toBeVisible();
  await runEnded(page);
  await allow();
  await page.getByRole("button", { name: "Try again" }).click();
  await runEnded(page);
  await showRun(page, "Logs");
  await page.getByRole("listbox", { name: "Log" }).press("End");
  await expect(page.getByRole("listbox", { name: "Log" })).toContainText("Run completed");
  await expect(notice).toHaveCount(0);
});

test("a dialog that is asked for before the code for it is there opens once it is", async ({ page }) => {
  await enterAsGuest(page);
  const arrive = await holdBack(page, "editor-dialogs");
  await openTemplate(page, "Ask with tools");
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet).toHaveCount(0);
  arrive();
  await expect(sheet).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
});

test("an export whose code cannot be loaded is said, and made after trying again", async ({ page }) => {
  await enterAsGuest(page);
  const allow = await withhold(page, "export-program", (route) => route.abort());
  await openTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Export as code (AI SDK)" }).click();
  await expect(page.getByText("The export could not be loaded.")).toBeVisible();
  await allow();
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Try again" }).click();
  expect((await file).suggestedFilename()).toMatch(/\.ts$/);
});

test("what is typed while a template's editor takes the place of its plain input stays in order", async ({ page }) => {
  await enterAsGuest(page);
  const arrive = await holdBack(page, "template-editor");
  await openTemplate(page, "Ask with tools");
  await nodeCard(page, "Agent").locator(".card-title").click();
  const field = page.getByRole("region", { name: "Settings of Agent" }).getByRole("textbox", { name: "User message" });
  await field.click();
  await page.keyboard.press("ControlOrMeta+a");
  const words = Array.from({ length: 60 }, (_, index) => `w${index}`).join(" ");
  const typed = page.keyboard.type(words);
  arrive();
  await typed;
  await expect(page.locator(".cm-content").first()).toBeVisible();
  await expect(field).toHaveText(words);
});

test("what is typed after Test while the chat is on its way belongs to the message", async ({ page }) => {
  await enterAsGuest(page);
  const arrive = await holdBack(page, "workbench");
  await openTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.keyboard.type("Why? ");
  arrive();
  const chat = page.getByRole("complementary", { name: "Run panel" }).getByRole("textbox", { name: "Message" });
  await expect(chat).toBeFocused();
  await expect(chat).toHaveValue("Why? ");
  await page.keyboard.type("Because");
  await expect(chat).toHaveValue("Why? Because");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
