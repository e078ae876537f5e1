import type { Page } from "@playwright/test";
import { ask, enterWithTemplate, expect, nodeCard, runEnded, saved, test } from "./fixtures.ts";
import { addByClick } from "./pointer.ts";

const inspector = (page: Page) => page.getByRole("region", { name: /^Settings of/ });
const userMessage = (page: Page) => inspector(page).getByRole("textbox", { name: "User message" });

async function look(page: Page, name: string): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.screenshot({ path: `test-results/screens/inspector-${name}-${theme}.png` });
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** The template "Ask with tools" after one run, with the agent open. */
async function openAgent(page: Page): Promise<void> {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 6 * 7?");
  await expect(page.getByRole("log")).toContainText("is 42.");
  await runEnded(page);
  await nodeCard(page, "Agent").click();
  await expect(userMessage(page)).toContainText("{{json.message}}");
  // The plain input, which is there before it, completes nothing.
  await expect(inspector(page).locator(".cm-content").first()).toBeVisible();
}

test("a template is completed by keyboard, and its result stands under it while one types", async ({ page }) => {
  await openAgent(page);
  const field = userMessage(page);
  await expect(inspector(page).getByLabel("Result").first()).toContainText("What is 6 * 7?");
  await field.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Please: {{js");
  const list = page.getByRole("listbox");
  await expect(list.getByRole("option", { name: /json/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.type(".mes");
  await expect(list.getByRole("option", { name: /message.*What is 6/ })).toBeVisible();
  await look(page, "completion");
  await page.keyboard.press("Enter");
  await expect(field).toHaveText("Please: {{json.message}}");
  await expect(inspector(page).getByLabel("Result").first()).toContainText("Please: What is 6 * 7?");

  await inspector(page).getByRole("button", { name: "Open User message larger" }).click();
  const large = page.getByRole("dialog", { name: "User message" });
  await expect(large.getByRole("textbox")).toBeFocused();
  // All of it takes the pointer, not only the line that is written.
  expect((await large.getByRole("textbox").boundingBox())?.height).toBeGreaterThan(300);
  await page.keyboard.type(" Thanks.");
  await look(page, "large");
  await large.getByRole("button", { name: "Done" }).click();
  await expect(field).toHaveText("Please: {{json.message}} Thanks.");
  await field.click();

  // Half an expression is no mistake yet, for a moment at least; it is one as soon as the caret has left it.
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  const sound = inspector(page).locator("[data-field]:not(:has([aria-invalid=true]))");
  const isHeldBack = sound.getByText("= …").waitFor();
  await page.keyboard.type("{{");
  await isHeldBack;
  await page.keyboard.press("ControlOrMeta+End");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("{{json.mesage}}");
  await expect(
    inspector(page)
      .getByText(/"message"|json\.message/)
      .first(),
  ).toBeVisible();
  await look(page, "error");
  await page.keyboard.press("Tab");
  await expect(field).not.toBeFocused();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(field).not.toHaveText("{{json.mesage}}");
  await saved(page);
});

test("a value is chosen from the data of earlier nodes, by keyboard and by dragging", async ({ page }) => {
  await openAgent(page);
  const field = userMessage(page);
  await field.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await inspector(page).getByRole("button", { name: "Insert data" }).nth(1).focus();
  await page.keyboard.press("Enter");
  const data = page.getByRole("tree", { name: "Data" });
  await expect(data.getByRole("treeitem", { name: /^message:/ }).first()).toBeVisible();
  await look(page, "insert");
  await data
    .getByRole("treeitem", { name: /^message:/ })
    .first()
    .focus();
  await page.keyboard.press("Enter");
  await expect(field).toContainText("message}}");

  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await inspector(page).getByRole("tab", { name: "Input" }).click();
  const source = inspector(page).getByRole("treeitem", { name: /message/ });
  const from = await source.boundingBox();
  const tab = await inspector(page).getByRole("tab", { name: "Settings" }).boundingBox();
  if (!from || !tab) throw new Error("The inspector is not on the page.");
  await page.mouse.move(from.x + 40, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(tab.x + 20, tab.y + 10, { steps: 8 });
  await expect(field).toBeVisible();
  const to = await field.boundingBox();
  if (!to) throw new Error("The field is not on the page.");
  await page.mouse.move(to.x + 20, to.y + 10, { steps: 8 });
  await page.mouse.up();
  await expect(field).toHaveText("{{json.message}}");
});

test("a tool's arguments are built in the form, nested ones too, and a broken schema is refused there @rest", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("code tool");
  await page.getByRole("option", { name: /Code/ }).first().click();
  const form = inspector(page);
  await expect(form.getByRole("button", { name: "Add an argument" })).toBeVisible();
  await form.getByRole("button", { name: "Add an argument" }).click();
  await form.getByLabel("Argument 1: name").fill("order");
  await form.getByLabel("Argument 1: type").selectOption("object");
  await form.getByRole("button", { name: "Add a field" }).click();
  await form.getByLabel("Argument 1 1: name").fill("size");
  await form.getByLabel("Argument 1 1: allowed values").fill("small, large");
  await look(page, "schema");
  await form.getByRole("button", { name: "Try it" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("What the model sees as its arguments").click();
  await expect(dialog).toContainText("order");
  await page.keyboard.press("Escape");

  await form.getByRole("button", { name: "Edit as JSON Schema" }).click();
  await expect(form.getByRole("textbox", { name: "Arguments" })).toHaveValue(/"enum": \[\s*"small",\s*"large"/);
  await form
    .getByRole("textbox", { name: "Arguments" })
    .fill('{ "type": "object", "properties": { "a": { "type": "int" } } }');
  await expect(form.getByRole("alert")).toContainText('the type "int"');
});

test("a node is edited as JSON, in one step that can be undone", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await nodeCard(page, "Calculator").click();
  await inspector(page).getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Edit as JSON" }).click();
  const dialog = page.getByRole("dialog");
  const text = dialog.getByRole("textbox", { name: "Node" });
  const stored = await text.inputValue();
  await text.fill(stored.replace('"Calculator"', '"Sums"').slice(0, -1));
  await expect(dialog.getByRole("alert")).toContainText("not valid JSON");
  await text.fill(stored.replace('"Calculator"', '"Sums"'));
  await look(page, "json");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(nodeCard(page, "Sums")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(nodeCard(page, "Calculator")).toBeVisible();
});

test("templates are completed in pairs of names and values too @rest", async ({ page }) => {
  await openAgent(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("set fields");
  await page
    .getByRole("option", { name: /Set fields/ })
    .first()
    .click();
  await inspector(page).getByRole("button", { name: "Add a row" }).click();
  const value = inspector(page).getByRole("textbox", { name: "Fields: value 1" });
  await value.click();
  await page.keyboard.type("{{1 + 2");
  await expect(inspector(page).getByLabel("Result")).toContainText("3");
  await expect(value).toHaveText("{{1 + 2}}");
});

test("what is cut off shows itself whole when pointed at @rest", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  const line = nodeCard(page, "Agent").locator(".card-line");
  await line.hover();
  await expect(line).toHaveAttribute("title", /Say which tool you used\.$/);
});

test("a code node says what it gets and returns, and its example runs", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await page.keyboard.press("n");
  await expect(page.getByRole("searchbox", { name: "Search nodes" })).toBeVisible();
  await addByClick(page, "javascript", /^Code Runs/);
  await page.getByRole("searchbox", { name: "Search nodes" }).press("Escape");
  await expect(inspector(page).getByText("What the node before gives")).toBeVisible();
  await inspector(page).getByText("Example", { exact: true }).click();
  await inspector(page).getByRole("button", { name: "Use this example" }).click();
  await expect(inspector(page).getByRole("textbox", { name: /^Code/ })).toContainText("words:");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12.5% of 480?");
  await runEnded(page);
  await nodeCard(page, "Code").click();
  await expect(inspector(page).getByText(/^\{"response":/)).toBeVisible();
  await inspector(page).getByRole("tab", { name: "Output" }).click();
  await expect(inspector(page).getByText(/words/).first()).toBeVisible();
});

test("an agent's settings are a few basics, and everything else under Advanced", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await nodeCard(page, "Agent").click();
  await expect(inspector(page).getByText("Output format", { exact: true })).toBeVisible();
  await expect(inspector(page).getByText("Iteration limit", { exact: true })).toBeHidden();
  await expect(inspector(page).locator("summary")).toHaveText(["Advanced"]);
  await inspector(page).getByText("Advanced", { exact: true }).click();
  await expect(inspector(page).getByText("Iteration limit", { exact: true })).toBeVisible();
  await expect(inspector(page).getByText("Tool name", { exact: true })).toBeVisible();
});
