import { spawnSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { enterAsGuest, enterWithTemplate, expect, openTemplate, saved, test } from "./fixtures.ts";

test("signs up, signs out in every tab, signs in again, and finds the workflows", async ({ page, context }) => {
  const email = `ada-${Date.now()}@example.com`;
  const password = "a-long-test-password";
  await page.goto("/");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Workflows", exact: true })).toBeVisible();
  await openTemplate(page, "Ask with tools");
  await saved(page);

  const other = await context.newPage();
  await other.goto("/settings");
  await other.getByRole("button", { name: "Sign out" }).click();
  await expect(other.getByRole("button", { name: "Continue as guest" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Continue as guest" })).toBeVisible();

  await page.getByRole("button", { name: "Sign in", exact: true }).first().click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("not-the-password");
  await page.locator("form").getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").first()).toContainText(/password/i);
  await page.getByLabel("Password").fill(password);
  await page.locator("form").getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await page.goto("/");
  await expect(page.getByRole("link", { name: /Ask with tools/ }).first()).toBeVisible();
});

test("a guest becomes an account, keeps everything, changes the password, and gets back in by a link", async ({
  page,
  browser,
  studio,
}) => {
  const email = `grace-${Date.now()}@example.com`;
  await enterAsGuest(page);
  await expect(page.getByText("Your work stays with this browser.")).toBeHidden();
  await openTemplate(page, "Ask with tools");
  await saved(page);
  await page.goto("/");
  await expect(page.getByText("Your work stays with this browser.")).toBeVisible();
  await page.getByRole("link", { name: "Create an account" }).click();
  const make = page.getByRole("form", { name: "Create an account" });
  await make.getByRole("button", { name: "Create account" }).click();
  await expect(make.getByLabel("E-mail")).toBeFocused();
  await make.getByLabel("E-mail").fill(email);
  await make.getByLabel("Password").fill("first-test-password");
  await make.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText(`Signed in as ${email}.`)).toBeVisible();

  const elsewhere = await (await browser.newContext({ baseURL: studio.url })).newPage();
  const workflow = (on: Page) => on.getByRole("link", { name: /Ask with tools/ }).first();
  const signIn = async (password: string) => {
    await elsewhere.goto("/sign-in");
    await elsewhere.getByRole("button", { name: "Sign in", exact: true }).click();
    await elsewhere.getByLabel("E-mail").fill(email);
    await elsewhere.getByLabel("Password").fill(password);
    await elsewhere.locator("form").getByRole("button", { name: "Sign in" }).click();
  };
  await signIn("first-test-password");
  await expect(workflow(elsewhere)).toBeVisible();

  const change = page.getByRole("form", { name: "Change password" });
  await change.getByLabel("Current password").fill("not-my-password");
  await change.getByLabel("New password").fill("second-test-password");
  await change.getByRole("button", { name: "Change password" }).click();
  await expect(change.getByRole("alert")).toContainText("The current password is wrong.");
  await change.getByLabel("Current password").fill("first-test-password");
  await change.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed. Other browsers are signed out.")).toBeVisible();
  await page.goto("/");
  await expect(workflow(page)).toBeVisible();
  await elsewhere.reload();
  const ended = elsewhere.getByRole("dialog", { name: "Your session has ended" });
  await ended.getByRole("button", { name: "Sign out and discard what is not saved" }).click();
  await expect(elsewhere.getByRole("button", { name: "Continue as guest" })).toBeVisible();

  await elsewhere.getByRole("button", { name: "Sign in", exact: true }).click();
  await elsewhere.getByRole("button", { name: "Forgot your password?" }).click();
  await expect(elsewhere.getByText("Ask whoever runs it for a link")).toBeVisible();
  const { stdout } = spawnSync(process.execPath, ["cli/reset-password.mjs", email, "--data", studio.dataDir], {
    encoding: "utf8",
  });
  await elsewhere.goto(stdout.trim());
  await elsewhere.getByLabel("New password").fill("third-test-password");
  await elsewhere.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(workflow(elsewhere)).toBeVisible();
  await elsewhere.goto("about:blank");
  await elsewhere.goto(stdout.trim());
  await elsewhere.getByLabel("New password").fill("fourth-test-password");
  await elsewhere.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(elsewhere.getByRole("alert")).toContainText("used already");
  await elsewhere.getByRole("button", { name: "Keep the old one" }).click();
  await expect(workflow(elsewhere)).toBeVisible();
  await elsewhere.context().close();
});

test("all work goes to another account as one file @rest", async ({ page, browser, studio }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await page.goto("/settings");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export all work" }).click();
  const path = await (await download).path();

  const other = await (await browser.newContext({ baseURL: studio.url })).newPage();
  await enterAsGuest(other);
  await other.goto("/settings");
  await other.getByLabel("File with all your work").setInputFiles(path);
  const dialog = other.getByRole("dialog", { name: "Import all work" });
  await expect(dialog.getByRole("listitem").first()).toHaveText("1 workflow");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog.getByText("1 workflow imported.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await other.goto("/");
  await expect(other.getByRole("link", { name: /Ask with tools/ }).first()).toBeVisible();
  await other.context().close();
});

test("rename, duplicate, delete and undo in the library", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await page.goto("/");
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await row("Ask with tools")
    .getByRole("button", { name: /more|actions|menu/i })
    .click();
  await page.getByRole("menuitem", { name: /Rename/ }).click();
  await page.keyboard.type("First agent");
  await page.keyboard.press("Enter");
  await expect(row("First agent")).toHaveCount(1);
  await row("First agent")
    .getByRole("button", { name: /more|actions|menu/i })
    .click();
  await page.getByRole("menuitem", { name: /Duplicate/ }).click();
  await expect(row("First agent")).toHaveCount(2);
  await row("First agent")
    .first()
    .getByRole("button", { name: /more|actions|menu/i })
    .click();
  await page.getByRole("menuitem", { name: /Delete/ }).click();
  await expect(row("First agent")).toHaveCount(1);
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).click();
  await expect(row("First agent")).toHaveCount(2);
  await page.reload();
  await expect(row("First agent")).toHaveCount(2);
});

test("tags and the trash @rest", async ({ page }) => {
  await enterAsGuest(page);
  for (const name of ["Ask with tools", "Two agents"]) {
    await openTemplate(page, name);
    await saved(page);
    await page.goto("/");
  }
  const list = page.getByRole("region", { name: "Your workflows" });
  const link = (name: string) => list.getByRole("link", { name, exact: true });
  const actions = async (name: string, item: string) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await actions("Two agents", "Edit tags");
  const tags = page.getByRole("dialog", { name: "Tags of Two agents" });
  await tags.getByLabel("Tags", { exact: true }).fill("team, maths");
  await page.keyboard.press("Enter");
  await expect(list.getByRole("list", { name: "Tags of Two agents" })).toHaveText("teammaths");
  await list.getByRole("combobox", { name: "Tag" }).selectOption("maths");
  await expect(link("Ask with tools")).toBeHidden();
  await expect(link("Two agents")).toBeVisible();
  await list.getByRole("combobox", { name: "Tag" }).selectOption("");
  await expect(link("Ask with tools")).toBeVisible();

  await actions("Ask with tools", "Delete");
  await actions("Two agents", "Delete");
  await page.getByRole("button", { name: "Trash" }).click();
  await expect(page.getByText(/30 days left/)).toHaveCount(2);
  await page.getByRole("button", { name: "Restore Two agents" }).click();
  await expect(page.getByText(/30 days left/)).toHaveCount(1);
  await page.getByRole("button", { name: "Delete Ask with tools for good" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete for good" }).click();
  await expect(page.getByText("The trash is empty")).toBeVisible();
  await page.getByRole("button", { name: "Workflows" }).click();
  await expect(link("Two agents")).toBeVisible();
  await expect(link("Ask with tools")).toBeHidden();
});
