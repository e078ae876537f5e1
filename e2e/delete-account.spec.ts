import type { Page } from "@playwright/test";
import { enterAsGuest, expect, openTemplate, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";

const password = "a-long-test-password";
const question = (page: Page) => page.getByRole("dialog", { name: /^Delete your/ });
const saysDeleted = (page: Page) => page.getByText("Your account was deleted.");

/** The names under which this browser still keeps something, but for its looks. */
const keptKeys = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => !/^switchyard:(theme|panel|signed-out)$/.test(key))
      .toSorted(),
  );

test("a guest deletes the account, and every tab ends at the sign-in page with nothing kept", async ({
  page,
  context,
}) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await saved(page);
  const other = await context.newPage();
  await other.goto("/settings");
  const open = other.getByRole("button", { name: "Delete guest account" });
  await open.click();
  const dialog = question(other);
  await expect(dialog).toContainText("This cannot be undone.");
  await look(other, "wide-delete-guest", { both: true });
  // Escape leaves everything as it is, and the keyboard where it was.
  await other.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();

  await open.press("Enter");
  await dialog.getByRole("button", { name: "Delete guest account" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Type the word delete.");
  const field = dialog.getByLabel("Type “delete” to confirm");
  await expect(field).toBeFocused();
  await field.fill("delete");
  await other.keyboard.press("Enter");
  for (const tab of [other, page]) {
    await expect(saysDeleted(tab)).toBeVisible();
    await expect(tab.getByRole("button", { name: "Continue as guest" })).toBeVisible();
    await expect(tab).toHaveURL(/\/sign-in$/);
    await expect(tab.getByRole("dialog")).toBeHidden();
  }
  await expect.poll(() => keptKeys(page)).toEqual([]);

  await page.getByRole("button", { name: "Continue as guest" }).click();
  await expect(page.getByRole("heading", { name: "Workflows", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: /Ask with tools/ })).toBeHidden();
  await page.goto("/settings");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("button", { name: "Continue as guest" })).toBeVisible();
  await expect(saysDeleted(page)).toBeHidden();
});

test("an account is deleted with its password alone, on a phone too, and its address is free again", async ({
  page,
}) => {
  const email = `leaves-${Date.now()}@example.com`;
  const signUp = async () => {
    await page.goto("/sign-in");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByRole("heading", { name: "Workflows", exact: true })).toBeVisible();
  };
  await signUp();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/settings");
  const open = page.getByRole("button", { name: "Delete account" });
  await open.click();
  const dialog = question(page);
  await expect(dialog).toBeVisible();
  await look(page, "phone-delete-account");
  await dialog.getByRole("button", { name: "Go to export" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Export all work" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Export all work" })).toBeInViewport();

  await open.click();
  await dialog.getByLabel("Your password").fill("not-the-password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("The password is wrong.");
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(saysDeleted(page)).toBeVisible();
  await look(page, "phone-deleted");

  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.locator("form").getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").first()).toContainText("do not match");
  await signUp();
});
