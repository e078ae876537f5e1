import type { Browser, Page } from "@playwright/test";
import { expect, openTemplate, saved, test } from "./fixtures.ts";
import { holdBack } from "./hold-back.ts";
import { look } from "./look.ts";
import { publishOpened } from "./published-runs.ts";
import { importSketch } from "./vendor-agent.ts";

const first = "first-test-password";
const second = "second-test-password";

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto("/");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(first);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Workflows", exact: true })).toBeVisible();
}

/** Changes the password in another browser, which ends all other sessions of the account. */
async function changePasswordElsewhere(browser: Browser, address: string, email: string): Promise<void> {
  const context = await browser.newContext({ baseURL: address });
  const other = await context.newPage();
  await other.goto("/sign-in");
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await other.getByLabel("E-mail").fill(email);
  await other.getByLabel("Password").fill(first);
  await other.locator("form").getByRole("button", { name: "Sign in" }).click();
  await expect(other.getByRole("navigation", { name: "Main" })).toBeVisible();
  await other.goto("/settings");
  const change = other.getByRole("form", { name: "Change password" });
  await change.getByLabel("Current password").fill(first);
  await change.getByLabel("New password").fill(second);
  await change.getByRole("button", { name: "Change password" }).click();
  await expect(other.getByText("Password changed.")).toBeVisible();
  await context.close();
}

/** Holds back what the page asks by itself: its answer would open the dialog over a name that is still being typed. */
const holdUntilEdited = (page: Page) => holdBack(page, /\/(rest|functions)\/v1\//, () => true);

const askedAgain = (page: Page) => page.getByRole("dialog", { name: "Your session has ended" });

test("whose session ends while they edit signs in on the spot, and everything that was not saved is saved", async ({
  page,
  browser,
  studio,
}) => {
  const email = `edits-${Date.now()}@example.com`;
  await signUp(page, email);
  await openTemplate(page, "Ask with tools");
  await saved(page);
  const requests = await holdUntilEdited(page);
  await changePasswordElsewhere(browser, studio.url, email);

  const name = page.getByRole("textbox", { name: "Workflow name" });
  await name.fill("Not saved yet");
  await name.press("Enter");
  requests.release();
  const dialog = askedAgain(page);
  await expect(dialog).toContainText(email);
  await expect(dialog.getByLabel("Password")).toBeFocused();
  await look(page, "wide-session-ended");
  await dialog.getByLabel("Password").fill(first);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("do not match");
  await dialog.getByLabel("Password").fill(second);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(name).toHaveValue("Not saved yet");
  await saved(page);
  await page.reload();
  await expect(name).toHaveValue("Not saved yet");
});

test("whose session has ended may look at the page first, and finds the way back above it; a reload loses no work @rest", async ({
  page,
  browser,
  studio,
}) => {
  const email = `looks-${Date.now()}@example.com`;
  await signUp(page, email);
  await openTemplate(page, "Ask with tools");
  await saved(page);
  const requests = await holdUntilEdited(page);
  await changePasswordElsewhere(browser, studio.url, email);
  const name = page.getByRole("textbox", { name: "Workflow name" });
  await name.fill("Made without a session");
  await name.press("Enter");
  requests.release();
  await expect(askedAgain(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(askedAgain(page)).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-session-ended");
  await page.getByRole("button", { name: "Sign in again" }).click();
  await expect(askedAgain(page)).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Not saved" })).toBeVisible();

  await page.reload();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(second);
  await page.locator("form").getByRole("button", { name: "Sign in" }).click();
  await expect(name).toHaveValue("Made without a session");
  await saved(page);
});

test("what is being typed on any page stays when the session ends, and the keyboard goes on where it was @rest", async ({
  page,
  browser,
  studio,
}) => {
  const email = `types-${Date.now()}@example.com`;
  await signUp(page, email);
  await openTemplate(page, "Ask with tools");
  await saved(page);
  await page.goto("/tests");
  await page.getByRole("button", { name: "New suite" }).first().click();
  const made = page.getByRole("dialog", { name: "New suite" });
  await made.getByLabel("Name").fill("Sums");
  await made.getByRole("combobox", { name: "Workflow" }).selectOption({ label: "Ask with tools" });
  await made.getByRole("button", { name: "Create" }).click();
  await page.getByRole("tab", { name: "Settings" }).click();
  const trials = page.getByRole("textbox", { name: "Trials per case" });
  await trials.fill("7");
  const suite = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  let refused = 0;
  page.on("response", (response) => {
    if (response.status() >= 400 && response.url().includes(suite)) refused += 1;
  });
  await changePasswordElsewhere(browser, studio.url, email);
  // As when the page comes back to the front, by when what it shows is a while old.
  await expect
    .poll(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
      return refused;
    })
    .toBeGreaterThan(0);
  const dialog = askedAgain(page);
  await expect(dialog).toBeVisible();
  await expect(trials).toHaveValue("7");
  await dialog.getByLabel("Password").fill(second);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(trials).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type("5");
  await expect(trials).toHaveValue("75");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The suite is saved" })).toBeVisible();
});

test("a name that is being edited when the session ends is kept only once its writer is back and done @rest", async ({
  page,
  browser,
  studio,
}) => {
  const email = `renames-${Date.now()}@example.com`;
  await signUp(page, email);
  await openTemplate(page, "Ask with tools");
  await saved(page);
  await page.goto("/");
  await page.getByRole("button", { name: "Actions for Ask with tools" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  const name = page.getByRole("textbox", { name: "New name of Ask with tools" });
  await name.fill("Half a na");
  await changePasswordElsewhere(browser, studio.url, email);
  const dialog = askedAgain(page);
  await dialog.getByLabel("Password").fill(second);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(name).toBeFocused();
  await page.keyboard.type("me");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "Half a name" })).toBeVisible();
});

test("another account that signs in finds nothing of the one whose session had ended @rest", async ({
  page,
  browser,
  studio,
}) => {
  const email = `gone-${Date.now()}@example.com`;
  await signUp(page, email);
  await openTemplate(page, "Ask with tools");
  await saved(page);
  await changePasswordElsewhere(browser, studio.url, email);
  const name = page.getByRole("textbox", { name: "Workflow name" });
  await name.fill("Nobody else's business");
  await name.press("Enter");
  await expect(askedAgain(page)).toBeVisible();
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await expect.poll(kept).toContain("Nobody else's business");
  await page.reload();
  await page.goto("/");
  await page.getByRole("button", { name: "Continue as guest" }).click();
  await expect(page.getByRole("heading", { name: "Workflows", exact: true })).toBeVisible();
  expect(await kept()).not.toContain("Nobody else's business");
});

test("the page of a server run whose session has ended follows it again once its owner is back @rest", async ({
  page,
  context,
  browser,
  studio,
}) => {
  const email = `follows-${Date.now()}@example.com`;
  await signUp(page, email);
  await importSketch(page, "Followed", {
    nodes: {
      start: { type: "manual-trigger", title: "Start" },
      ask: { type: "approval", title: "Ask", config: { message: "Go on?" } },
    },
    edges: [["start.main", "ask.main"]],
  });
  await saved(page);
  await publishOpened(page);
  await page.getByRole("button", { name: "Run options" }).click();
  await page.getByRole("menuitem", { name: "Run on server…" }).click();
  await page.getByRole("dialog", { name: "Run on server" }).getByRole("button", { name: "Run", exact: true }).click();
  const status = page.getByRole("region", { name: "Server run" }).getByRole("status").first();
  await expect(status).toHaveText("Waiting", { timeout: 90_000 });
  await changePasswordElsewhere(browser, studio.url, email);
  const dialog = askedAgain(page);
  await dialog.getByLabel("Password").fill(second);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(status).toHaveText("Waiting");
  const inbox = await context.newPage();
  await inbox.goto("/inbox");
  await inbox.getByRole("button", { name: "Approve" }).first().click();
  await expect(status).toHaveText("Completed", { timeout: 90_000 });
});
