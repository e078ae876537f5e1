import type { Page } from "@playwright/test";
import { canvasReady, enterAsGuest, expect, nodeCard, openTemplate, saved, test } from "./fixtures.ts";

/** Opens the page anew without the code of the command menu, which comes once it is released. */
async function holdCommandMenu(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/assets/command-menu-*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await canvasReady(page);
  return release;
}

test("the command menu puts first what its words name, and what is there before what could be added", async ({
  page,
}) => {
  await enterAsGuest(page);
  await openTemplate(page, "Blank");
  await saved(page);
  await page.goto("/");
  await openTemplate(page, "Ask with tools");
  await page.keyboard.press("ControlOrMeta+k");
  const search = page.getByRole("combobox", { name: "Search actions, nodes and workflows" });
  const options = page.getByRole("option");
  await search.fill("calcul");
  await expect(options).toHaveText([/^Calculator/, /^Add Calculator/]);
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await search.fill("go to window");
  await expect(options).toHaveText([/^Window memory/]);
  await search.fill("untitled");
  await expect(options).toHaveText([/^Untitled workflow/]);
  // The list comes from the server: Enter goes to what is selected.
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Build your first agent")).toBeVisible();
});

test("what is typed while the command menu is still being loaded is not lost", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  const release = await holdCommandMenu(page);
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("calcul");
  release();
  const search = page.getByRole("combobox", { name: "Search actions, nodes and workflows" });
  await expect(search).toHaveValue("calcul");
  await expect(search).toBeFocused();
  await page.keyboard.type("ator");
  await expect(page.getByRole("option").first()).toHaveText(/^Calculator/);
});

test("the card has the keyboard back when the command menu closes, loaded or not", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  const release = await holdCommandMenu(page);
  const card = nodeCard(page, "Agent");
  const search = page.getByLabel("Search actions, nodes and workflows");
  await card.focus();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(search).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(card).toBeFocused();

  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("calcul");
  release();
  await expect(page.getByRole("option").first()).toHaveText(/^Calculator/);
  await page.keyboard.press("Escape");
  await expect(card).toBeFocused();
});
