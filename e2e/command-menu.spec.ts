import { holdBack } from "./hold-back.ts";
import {
  canvasReady,
  enterAsGuest,
  enterWithTemplate,
  expect,
  importWorkflow,
  nodeCard,
  openTemplate,
  saved,
  test,
} from "./fixtures.ts";
import { look } from "./look.ts";

test("the command menu puts first what its words name, and what is there before what could be added", async ({
  page,
}) => {
  await enterWithTemplate(page, "Blank");
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

test("the card has the keyboard back when the command menu closes @rest", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  const card = nodeCard(page, "Agent");
  const search = page.getByRole("combobox", { name: "Search actions, nodes and workflows" });
  await card.focus();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(search).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(card).toBeFocused();

  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("calcul");
  await expect(page.getByRole("option").first()).toHaveText(/^Calculator/);
  await page.keyboard.press("Escape");
  await expect(card).toBeFocused();
});

test("pages and workflows are gone to by name from every page, and the keyboard goes back where it was", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  // The menu loads late: what is typed meanwhile stands in it.
  const menu = await holdBack(page, /\/page-menu-[^/]*\.js$/, () => true);
  await page.goto("/runs");
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  const search = page.getByRole("combobox", { name: "Search pages and workflows" });
  const options = page.getByRole("option");

  await page.keyboard.press("ControlOrMeta+k");
  await menu.asked;
  await page.keyboard.type("cosr");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("t");
  menu.release();
  await expect(search).toHaveValue("cost");
  await expect(options).toHaveText([/^Costs/]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Costs", selected: true })).toBeVisible();

  const button = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Search" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(search).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();

  // A dialog keeps the keyboard.
  await page.goto("/credentials");
  await page.getByRole("button", { name: "New credential", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "New credential" });
  await dialog.getByLabel("Name").press("ControlOrMeta+k");
  await dialog.getByLabel("Name").fill("Mine");
  await expect(search).toBeHidden();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await page.keyboard.press("ControlOrMeta+k");
  await search.fill("ask with");
  await expect(options).toHaveText([/^Ask with tools/]);
  await page.keyboard.press("Enter");
  await canvasReady(page);
  // The editor's own, once, where it is open.
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox", { name: "Search actions, nodes and workflows" })).toBeFocused();
  await expect(search).toBeHidden();
  await expect(button).toBeHidden();
});

test("the workflows edited last come first, with the pages below in sight, and nothing moves when they arrive @rest", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterAsGuest(page);
  const titles = ["One", "Two", "Three", "Four", "Five", "Six"];
  for (const name of titles) {
    await page.goto("/");
    await importWorkflow(page, { name, nodes: {}, edges: {} });
    await saved(page);
  }
  await page.goto("/runs");
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  const list = await holdBack(page, /rpc\/studio_list_workflows/, () => true);
  await page.keyboard.press("ControlOrMeta+k");
  const menu = page.getByRole("dialog", { name: "Search pages and workflows" });
  const options = menu.getByRole("option");
  const last = menu.getByRole("option", { name: "API keys" });
  await list.asked;
  await expect(options.first()).toHaveText("Workflows");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  const top = () => last.evaluate((option: HTMLElement) => option.offsetTop);
  const before = await top();
  list.release();
  await expect(options.first()).toContainText("Six");
  const recent = ["Six", "Five", "Four", "Three", "Two"].map((name) => `${name}Workflow`);
  const pages = ["Workflows", "Knowledge", "Credentials", "Runs", "Tests", "Inbox", "Settings"];
  const further = ["Imports", "Costs", "Published workflows", "API keys"];
  expect(await options.allTextContents()).toEqual([...recent, ...pages, ...further]);
  expect(await top()).toBe(before);
  await expect(last).toBeInViewport({ ratio: 1 });
  await look(page, "wide-page-menu");
  // Who had gone nowhere is at the first, also now.
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("End");
  await expect(last).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(
    page.getByRole("textbox", { name: "Name of the workflow" }).or(page.getByText("Six")).first(),
  ).toBeVisible();
});
