import type { Locator, Page } from "@playwright/test";
import { examine } from "./examine.ts";
import { enterWithTemplate, expect, nodeCard, saved, test } from "./fixtures.ts";

/** Presses Tab, or Shift+Tab, until the element has the focus, as someone without a mouse would. */
async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}

async function pressOn(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Presses Tab until the keyboard is on a card of the canvas, which is one stop of that key. */
async function enterCanvas(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  const card = page.locator(".react-flow__node:focus");
  for (let presses = 0; presses < 60 && (await card.count()) === 0; presses += 1) await page.keyboard.press("Tab");
  await expect(card).toHaveCount(1);
}

/** Takes what the menu that was just opened has the keyboard on. */
async function takeFirst(page: Page): Promise<void> {
  await expect(page.getByRole("menuitem").and(page.locator(":focus"))).toHaveCount(1);
  await page.keyboard.press("Enter");
}

/** Types into the open palette and adds what stands first. */
async function addNode(page: Page, words: string): Promise<void> {
  const search = page.getByRole("searchbox", { name: "Search nodes" });
  await expect(search).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
}

test("an agent is built, wired, run and read without a mouse", async ({ page }) => {
  await page.goto("/");
  await pressOn(page, page.getByRole("button", { name: "Continue as guest" }));
  await pressOn(page, page.getByRole("button", { name: "New workflow" }));
  await pressOn(page, page.getByRole("dialog").getByRole("button", { name: /^Blank/ }));
  await expect(page.getByText("Build your first agent")).toBeVisible();

  await page.keyboard.press("n");
  await addNode(page, "chat trigger");
  await expect(nodeCard(page, "Chat trigger")).toBeVisible();
  await addNode(page, "ai agent");
  await expect(nodeCard(page, "AI agent")).toBeVisible();
  await addNode(page, "demo model");
  await expect(nodeCard(page, "Demo model")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox", { name: "Search nodes" })).toBeHidden();

  // What was added beside the agent is wired to it; here one wire is taken away and drawn again.
  const wires = page.locator(".react-flow__edge");
  await expect(wires).toHaveCount(2);
  const card = nodeCard(page, "Demo model");
  await enterCanvas(page);
  await page.keyboard.press("Home");
  await expect(nodeCard(page, "Chat trigger")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(nodeCard(page, "AI agent")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(card).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Delete");
  await expect(wires).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(wires).toHaveCount(2);
  await enterCanvas(page);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect(card).toBeFocused();
  await page.keyboard.press("e");
  await expect(wires.and(page.locator(":focus"))).toHaveCount(1);
  await page.keyboard.press("Space");
  await page.keyboard.press("Delete");
  await expect(wires).toHaveCount(1);
  await enterCanvas(page);
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowDown");
  await expect(card).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("c");
  await expect(page.getByPlaceholder("Connect to…")).toBeFocused();
  await page.keyboard.type("its model");
  await page.keyboard.press("Enter");
  await expect(wires).toHaveCount(2);
  await expect(card).toBeFocused();

  // The place changes by arrows, as one step to undo.
  const before = await card.boundingBox();
  await page.keyboard.press("ArrowDown");
  await expect.poll(async () => (await card.boundingBox())?.y).not.toBe(before?.y);
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(async () => (await card.boundingBox())?.y).toBe(before?.y);
  await saved(page);

  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toBeFocused();
  await page.keyboard.type("Hello from the keyboard");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log")).toContainText("You said “Hello from the keyboard”");
  await expect(nodeCard(page, "AI agent").locator(".card-run")).toHaveAttribute("data-status", "done");

  await tabTo(page, page.getByRole("tab", { name: "Chat" }), "Shift+Tab");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tabpanel", { name: "Steps" })).toContainText("Model call");
});

test("cards are gone through, selected together, arranged and framed by keys @rest", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await enterCanvas(page);
  await page.keyboard.press("Tab");
  await expect(page.locator(".react-flow__node:focus")).toHaveCount(0);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("End");
  await expect(nodeCard(page, "HTTP request")).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Alt+ArrowUp");
  const calculator = nodeCard(page, "Calculator");
  await expect(calculator).toBeFocused();
  await expect(calculator).toHaveClass(/selected/);
  await expect(page.locator(".react-flow__node.selected")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Space");
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+Space");
  await expect(page.locator(".react-flow__node.selected")).toHaveCount(2);
  const tops = () =>
    page
      .locator(".react-flow__node.selected")
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top));
  await page.keyboard.press("Alt+w");
  await expect.poll(async () => new Set((await tops()).map(Math.round)).size).toBe(1);
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(async () => new Set((await tops()).map(Math.round)).size).toBe(2);
  await page.keyboard.press("ControlOrMeta+g");
  await expect(page.locator(".frame")).toBeFocused();
  await page.keyboard.press("F2");
  await expect(page.getByRole("textbox", { name: "Title of Group" })).toBeFocused();
  await page.keyboard.type("Both");
  await page.keyboard.press("Enter");
  await expect(page.locator(".frame")).toBeFocused();
  await page.keyboard.press("f");
  await expect(nodeCard(page, "Both")).toContainText("2 nodes");
  // The settings of one of them lead back to the card that stands for all.
  await page.keyboard.press("o");
  const outline = page.getByRole("region", { name: "Outline" });
  await expect(outline.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("calculator");
  await pressOn(page, outline.getByRole("button", { name: /^Calculator/, expanded: false }));
  await pressOn(page, outline.getByRole("button", { name: "Settings of Calculator" }));
  const settings = page.getByRole("region", { name: "Settings of Calculator" });
  await expect(settings.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(nodeCard(page, "Both")).toBeFocused();
  await page.keyboard.press("Space");
  await expect(nodeCard(page, "Both")).toHaveClass(/selected/);
  await page.keyboard.press("o");
  await expect(outline).toBeHidden();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const words of ["Ungroup", "Align left", "Paste", "Next card that way", "Bypass or restore", "Outline"]) {
    await expect(sheet.getByText(words, { exact: true })).toBeVisible();
  }
});

test("Escape leaves a field of the settings for the card, and Enter leads back @rest", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  const card = nodeCard(page, "Agent");
  await card.locator(".card-title").click();
  const settings = page.getByRole("region", { name: "Settings of Agent" });
  const prompt = settings.getByRole("textbox", { name: "User message" });
  await expect(prompt).toHaveClass(/cm-content/);

  // A text with templates: the open list first, then the field.
  await prompt.focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" {{no");
  const list = page.getByRole("listbox");
  await expect(list).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await expect(prompt).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(card).toBeFocused();
  await expect(card).toHaveClass(/selected/);
  await expect(prompt).toContainText("{{json.message}} {{no");
  await page.keyboard.press("Enter");
  await expect(settings.getByRole("tabpanel").locator(":focus")).toHaveCount(1);

  // The title takes back first what was not kept; from a tab the settings close at once.
  const title = settings.getByRole("textbox", { name: "Title", exact: true });
  await title.fill("Helper");
  await title.press("Escape");
  await expect(title).toHaveValue("Agent");
  await expect(title).toBeFocused();
  await title.press("Escape");
  await expect(card).toBeFocused();

  // A window that was opened from the settings closes alone.
  await pressOn(page, settings.getByRole("button", { name: "Open User message larger" }));
  const large = page.getByRole("dialog", { name: "User message" });
  await expect(large.getByRole("textbox")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(large).toBeHidden();
  await expect(settings.getByRole("button", { name: "Open User message larger" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(card).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(settings).toBeHidden();

  // A list that is open closes alone.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  const tool = nodeCard(page, "HTTP request");
  await expect(tool).toBeFocused();
  await page.keyboard.press("Enter");
  const method = page
    .getByRole("region", { name: "Settings of HTTP request" })
    .getByRole("combobox", { name: "Method" });
  await tabTo(page, method);
  await page.keyboard.press("Space");
  const isOpen = () => method.evaluate((list) => list.matches(":open"));
  await expect.poll(isOpen).toBe(true);
  await page.keyboard.press("Escape");
  await expect.poll(isOpen).toBe(false);
  await expect(method).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(tool).toBeFocused();

  // Code.
  await page.keyboard.press("n");
  await addNode(page, "code tool");
  await page.keyboard.press("Escape");
  const coded = page.getByRole("region", { name: /^Settings of/ });
  const code = coded.locator(".cm-content[aria-multiline=true]").last();
  await code.focus();
  await page.keyboard.press("Escape");
  await expect(page.locator(".react-flow__node.selected:focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(coded).toBeHidden();
});

test("Escape gives the keyboard back to the card or the wire that had it @rest", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  const card = nodeCard(page, "Agent");
  const wire = page.getByRole("group", { name: /^Connection from .* to Agent$/ });
  await expect(card).toBeVisible();
  for (const [part, key] of [
    [card, "n"],
    [card, "o"],
    [card, "c"],
    [card, "ControlOrMeta+k"],
    [card, "Shift+F10"],
    [wire, "i"],
    [wire, "Shift+F10"],
  ] as const) {
    await part.focus();
    await page.keyboard.press("Space");
    await page.keyboard.press(key);
    await expect(part, key).not.toBeFocused();
    await page.keyboard.press("Escape");
    await expect(part, key).toBeFocused();
    await page.keyboard.press("Escape");
  }
});

test("a workflow is read and wired in the outline", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  const wires = page.locator(".react-flow__edge");
  await expect(wires).toHaveCount(5);
  await page.keyboard.press("o");
  const outline = page.getByRole("region", { name: "Outline" });
  await expect(outline.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("agent");
  const row = outline.getByRole("button", { name: /^Agent/, expanded: false });
  await pressOn(page, row);
  await expect(outline.getByRole("list", { name: "Inputs of Agent" })).toContainText("Demo model");
  await pressOn(page, outline.getByRole("button", { name: "Disconnect Model from Demo model" }));
  await expect(outline.getByRole("status")).toHaveText("Disconnected Model from Demo model.");
  await expect(wires).toHaveCount(4);
  await expect(outline.getByText("required")).toBeVisible();
  await pressOn(page, outline.getByRole("button", { name: "Connect Model, model input" }));
  await expect(page.getByRole("menuitem", { name: "Demo model" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(wires).toHaveCount(5);
  await pressOn(page, outline.getByRole("button", { name: "Rename Agent" }));
  await page.keyboard.type("Helper");
  await page.keyboard.press("Enter");
  await expect(nodeCard(page, "Helper")).toBeVisible();
  expect(await examine(page, { within: "[aria-label=Outline]" })).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(outline).toBeHidden();
});

test("an agent with a model and a tool is built, wired and run from the outline alone @rest", async ({ page }) => {
  await enterWithTemplate(page, "Blank");
  const outline = page.getByRole("region", { name: "Outline" });
  await page.keyboard.press("o");
  await expect(outline.getByText("There are no nodes yet")).toBeVisible();
  await pressOn(page, outline.getByRole("button", { name: "Add a node" }));
  for (const words of ["chat trigger", "ai agent", "demo model", "calculator"]) await addNode(page, words);
  await expect(page.locator(".react-flow__node")).toHaveCount(4);
  await page.keyboard.press("Escape");
  await page.keyboard.press("o");
  await expect(outline.getByRole("searchbox")).toBeFocused();
  await expect(outline.locator("[data-outline-row]")).toHaveText([
    /Chat trigger/,
    /AI agent/,
    /Demo model/,
    /Calculator/,
  ]);

  // All wires are taken away; then they are drawn from either end, the tool's too.
  await tabTo(page, outline.locator("[data-outline-row]").first());
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  const inputs = outline.getByRole("list", { name: "Inputs of AI agent" });
  await pressOn(page, inputs.getByRole("button", { name: /^Disconnect .* from Chat trigger/ }));
  await pressOn(page, inputs.getByRole("button", { name: /^Disconnect .* from Demo model/ }));
  await pressOn(page, inputs.getByRole("button", { name: /^Disconnect .* from Calculator/ }));
  await expect(page.locator(".react-flow__edge")).toHaveCount(0);
  await pressOn(page, inputs.getByRole("button", { name: /^Connect .*, main input/ }));
  await takeFirst(page);
  await pressOn(page, inputs.getByRole("button", { name: "Connect Model, model input" }));
  await takeFirst(page);
  await expect(page.locator(".react-flow__edge")).toHaveCount(2);
  await tabTo(page, outline.getByRole("button", { name: /^AI agent/, expanded: true }), "Shift+Tab");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await pressOn(
    page,
    outline.getByRole("list", { name: /^Outputs of Calculator/ }).getByRole("button", { name: /^Connect/ }),
  );
  await takeFirst(page);
  await expect(outline.getByRole("status")).toHaveText(/^Connected .* to AI agent\.$/);
  await expect(page.locator(".react-flow__edge")).toHaveCount(3);

  // The settings beside it are those of one node.
  await expect(page.getByRole("textbox", { name: "Title", exact: true })).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toBeFocused();
  await page.keyboard.type("What is 6 * 7?");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log")).toContainText("42");
});

test("the keyboard stays on the canvas when the card or the wire that has it is deleted @rest", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await enterCanvas(page);
  const [agent, tool] = [nodeCard(page, "Agent"), nodeCard(page, "Calculator")];
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(agent).toBeFocused();
  await page.keyboard.press("e");
  const wires = page.locator(".react-flow__edge");
  const before = await wires.count();
  await expect(wires.and(page.locator(":focus"))).toHaveCount(1);
  await page.keyboard.press("Space");
  await page.keyboard.press("Delete");
  await expect(wires).toHaveCount(before - 1);
  await expect(page.locator(".react-flow__node:focus")).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(wires).toHaveCount(before);

  await tool.focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Delete");
  await expect(tool).toHaveCount(0);
  await expect(page.locator(".react-flow__node:focus")).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(tool).toBeVisible();

  // A button beside the cards goes with them.
  await page.keyboard.press("ControlOrMeta+a");
  await page.getByRole("toolbar", { name: "Selected nodes" }).getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.locator(".react-flow__node")).toHaveCount(0);
  await expect(page.locator(".react-flow")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(agent).toBeVisible();
});
