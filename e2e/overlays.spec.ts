import { enterAsGuest, enterWithTemplate, expect, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";

test("a menu is gone through by arrows, Home, End and letters, and gives the keyboard back", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const trigger = page.getByRole("button", { name: "Workflow actions" });
  await trigger.focus();
  await page.keyboard.press("ArrowDown");
  const menu = page.getByRole("menu");
  const items = menu.getByRole("menuitem");
  await expect(items.first()).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(items.last()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(items.first()).toBeFocused();
  await page.keyboard.press("End");
  await expect(items.last()).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.type("ver");
  await expect(menu.getByRole("menuitem", { name: "Version history" })).toBeFocused();
  await look(page, "wide-menu", { both: true });
  await page.keyboard.press("Tab");
  await expect(menu).toHaveCount(0);
  await expect(trigger).toBeFocused();

  await trigger.click();
  await menu.getByRole("menuitem", { name: "Version history" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Version history" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(trigger).toBeFocused();
});

test("a menu closes on a press elsewhere and on Escape, which leaves the dialog below it open", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Version history" }).click();
  const dialog = page.getByRole("dialog", { name: "Version history" });
  await dialog.getByRole("textbox", { name: "Name for the current state" }).fill("First");
  await dialog.getByRole("button", { name: "Keep" }).click();
  const trigger = dialog.getByRole("button", { name: "Actions for First" });
  const menu = page.getByRole("menu");
  await trigger.click();
  await expect(menu.getByRole("menuitem").first()).toBeFocused();
  await look(page, "wide-menu-in-dialog", { both: true });
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await expect(trigger).toBeFocused();
  await trigger.click();
  await expect(menu).toBeVisible();
  await dialog.getByRole("heading", { name: "Version history" }).click();
  await expect(menu).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("a popover keeps Tab inside, and gives the keyboard back", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const trigger = page.getByRole("button", { name: "New", exact: true });
  await trigger.click();
  const popover = page.getByRole("dialog", { name: "Conversations" });
  const first = popover.getByRole("button", { name: "New conversation" });
  await expect(first).toBeFocused();
  await look(page, "wide-popover", { both: true });
  for (const key of ["Tab", "Shift+Tab", "Tab", "Tab"]) {
    await page.keyboard.press(key);
    await expect(popover.locator(":focus")).toHaveCount(1);
  }
  await page.keyboard.press("Escape");
  await expect(popover).toHaveCount(0);
  await expect(trigger).toBeFocused();
});

test("a tooltip shows after a moment of hovering, at once beside another one, and not after a press", async ({
  page,
}) => {
  await enterAsGuest(page);
  const tooltip = page.getByRole("tooltip");
  const rail = page.getByRole("navigation");
  await rail.getByRole("link", { name: "Runs" }).hover();
  await expect(tooltip).toHaveText("Runs");
  await rail.getByRole("link", { name: "Tests" }).hover();
  await expect(tooltip).toHaveText("Tests");
  await look(page, "wide-tooltip", { both: true });
  await page.mouse.down();
  await expect(tooltip).toHaveCount(0);
  await page.mouse.up();
  await page.keyboard.press("Tab");
  await expect(tooltip).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(tooltip).toHaveCount(0);
});
