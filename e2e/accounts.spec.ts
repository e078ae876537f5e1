import { enterAsGuest, expect, openTemplate, saved, test } from "./fixtures.ts";

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

test("rename, duplicate, delete and undo in the library", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
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
