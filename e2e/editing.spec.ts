import type { Locator, Page } from "@playwright/test";
import { atRest, canvasReady, enterAsGuest, expect, nodeCard, openTemplate, saved, test } from "./fixtures.ts";

const port = (card: Locator, name: string): Locator => card.locator(`.react-flow__handle[data-handleid="${name}"]`);

async function center(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("The element is not on the page.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: Locator, to: Locator | { x: number; y: number }): Promise<void> {
  const start = await center(from);
  const end = "x" in to ? to : await center(to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 5 });
  await page.mouse.move(end.x, end.y, { steps: 5 });
  await page.mouse.up();
}

async function addByClick(page: Page, search: string, name: RegExp): Promise<void> {
  const palette = page.getByRole("searchbox", { name: /node/i });
  if (!(await palette.isVisible())) await page.getByRole("button", { name: "Add node" }).click();
  await palette.fill(search);
  await page.getByRole("button", { name }).first().click();
}

test("builds a workflow from nothing, by mouse, and finds it again", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Blank");
  await addByClick(page, "manual", /Manual/);
  await addByClick(page, "agent", /^Agent|AI agent/);
  await addByClick(page, "demo", /Demo model/);
  await expect(page.locator(".react-flow__node")).toHaveCount(3);
  await saved(page);
  const edges = page.locator(".react-flow__edge");
  const wired = await edges.count();
  await page.reload();
  await canvasReady(page);
  await expect(page.locator(".react-flow__node")).toHaveCount(3);
  await expect(edges).toHaveCount(wired);
});

test("a forbidden connection says why, and an allowed one is kept", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await addByClick(page, "calculator", /Calculator/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /fit/i }).first().click();
  await expect(page.locator(".react-flow__node")).toHaveCount(7);
  await drag(page, port(nodeCard(page, "Demo model"), "model"), port(nodeCard(page, "Agent"), "tools"));
  await expect(page.getByText(/model.*tool|tool.*model/i).first()).toBeVisible();
});

test("move, delete, undo and redo, each one step", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  const calculator = nodeCard(page, "Calculator");
  const before = await center(calculator);
  await drag(page, calculator.locator(".card-title"), { x: before.x - 60, y: before.y - 80 });
  const moved = await center(calculator);
  expect(Math.abs(moved.y - before.y)).toBeGreaterThan(40);
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(async () => Math.round((await center(calculator)).y)).toBe(Math.round(before.y));
  await page.keyboard.press("ControlOrMeta+Shift+z");
  await expect.poll(async () => Math.round((await center(calculator)).y)).toBe(Math.round(moved.y));

  await calculator.click();
  await page.keyboard.press("Delete");
  await expect(calculator).toHaveCount(0);
  await expect(nodeCard(page, "Agent")).toContainText("1 tool");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(calculator).toHaveCount(1);
  await expect(nodeCard(page, "Agent")).toContainText("2 tools");
});

test("the inspector checks a value at its field and keeps what was typed", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await nodeCard(page, "Window memory").click();
  const limit = page.getByRole("textbox", { name: "Messages" });
  await limit.fill("500");
  await limit.blur();
  await expect(page.getByText(/at most 100/)).toBeVisible();
  await limit.fill("20");
  await expect(page.getByText(/at most 100/)).toBeHidden();
  await saved(page);
  await page.reload();
  await canvasReady(page);
  await nodeCard(page, "Window memory").click();
  await expect(page.getByRole("textbox", { name: "Messages" })).toHaveValue("20");
});

test("S59 two tabs on one workflow never overwrite each other silently", async ({ page, context }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await saved(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await canvasReady(other);
  await expect(nodeCard(other, "Agent")).toBeVisible();

  const remove = async (tab: Page, title: string): Promise<void> => {
    await nodeCard(tab, title).click();
    await tab.keyboard.press("Delete");
    await expect(nodeCard(tab, title)).toHaveCount(0);
  };
  await remove(page, "Calculator");
  await saved(page);
  await remove(other, "HTTP request");
  const dialog = other.getByRole("dialog").or(other.getByRole("alertdialog"));
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("button")).not.toHaveCount(0);
  await dialog.getByRole("button", { name: /theirs|other/i }).click();
  await expect(nodeCard(other, "HTTP request")).toHaveCount(1);
  await expect(nodeCard(other, "Calculator")).toHaveCount(0);
});

/** The middle of the wire between two cards, in pixels of the page. */
async function middleOfWire(page: Page, name: string): Promise<{ x: number; y: number }> {
  return center(page.locator(`.react-flow__edge[aria-label="${name}"] .react-flow__edge-interaction`));
}

const mainWire = "Connection from Chat message to Agent";

test("what is dropped on a wire goes between its ends", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Add node" }).click();
  await page.getByRole("searchbox", { name: "Search nodes" }).fill("set fields");
  const entry = await center(page.locator('[data-node-type="set-fields"]'));
  const wire = await middleOfWire(page, mainWire);
  await page.mouse.move(entry.x, entry.y);
  await page.mouse.down();
  await page.mouse.move(wire.x - 20, wire.y, { steps: 6 });
  await page.mouse.move(wire.x, wire.y, { steps: 3 });
  await expect(page.locator(".drop-target")).toHaveCount(1);
  await page.mouse.up();
  await expect(nodeCard(page, "Set fields")).toBeVisible();
  await expect(page.getByRole("group", { name: "Connection from Chat message to Set fields" })).toHaveCount(1);
  await expect(page.getByRole("group", { name: "Connection from Set fields to Agent" })).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(page.getByRole("group", { name: mainWire })).toHaveCount(1);

  // A card that stands alone is put there by dragging it.
  await page.getByRole("searchbox", { name: "Search nodes" }).press("Escape");
  await page.locator(".react-flow__pane").click({ button: "right", position: { x: 200, y: 650 } });
  await page.getByRole("menuitem", { name: "Add a node" }).click();
  await page.locator('[data-node-type="set-fields"]').dragTo(page.locator(".react-flow__pane"), {
    targetPosition: { x: 420, y: 640 },
  });
  const card = nodeCard(page, "Set fields");
  await page.getByRole("searchbox", { name: "Search nodes" }).press("Escape");
  await atRest(page);
  await drag(page, card.locator(".card-title"), await middleOfWire(page, mainWire));
  await expect(page.getByRole("group", { name: "Connection from Set fields to Agent" })).toHaveCount(1);
});

test("a click on a port adds what fits, and a double-click on a wire puts something between", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await port(nodeCard(page, "Agent"), "tools").click();
  await page.getByPlaceholder("Add a node that fits").fill("code");
  await page.keyboard.press("Enter");
  await expect(nodeCard(page, "Agent")).toContainText("3 tools");
  await page.keyboard.press("Escape");
  await atRest(page);
  const wire = await middleOfWire(page, mainWire);
  await page.mouse.dblclick(wire.x, wire.y);
  await page.getByPlaceholder("Insert a node here").fill("set fields");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("group", { name: "Connection from Set fields to Agent" })).toHaveCount(1);
});

test("a node is replaced and keeps its wires; a title is changed in its place", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await nodeCard(page, "Demo model").click();
  await page.keyboard.press("r");
  await page.getByPlaceholder("Replace with…").fill("openai-compatible");
  await page.keyboard.press("Enter");
  await expect(nodeCard(page, "Demo model")).toHaveCount(0);
  await expect(page.getByRole("group", { name: /^model connection from OpenAI.* to Agent$/ })).toHaveCount(1);
  await nodeCard(page, "Calculator").locator(".card-title").dblclick();
  await page.getByRole("textbox", { name: "Title of Calculator" }).fill("Abacus");
  await page.keyboard.press("Enter");
  await expect(nodeCard(page, "Abacus")).toBeVisible();
});

test("a group is drawn by box, folds into one card with its wires, and stays so", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  const [calculator, http] = [
    await nodeCard(page, "Calculator").boundingBox(),
    await nodeCard(page, "HTTP request").boundingBox(),
  ];
  if (!calculator || !http) throw new Error("The tools are not in view.");
  await page.keyboard.down("Shift");
  await page.mouse.move(calculator.x - 20, calculator.y - 20);
  await page.mouse.down();
  await page.mouse.move(http.x + http.width + 20, http.y + http.height + 20, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await expect(page.locator(".card.selected")).toHaveCount(2);
  await page.keyboard.press("ControlOrMeta+g");
  const frame = page.locator(".frame");
  await expect(frame).toHaveCount(1);
  await atRest(page);
  const before = await center(nodeCard(page, "Calculator"));
  await drag(page, frame.locator(".frame-title"), { x: before.x - 40, y: before.y - 120 });
  await expect.poll(async () => (await center(nodeCard(page, "Calculator"))).y).toBeLessThan(before.y - 20);
  await page.getByRole("button", { name: "Fold Group" }).click();
  await expect(nodeCard(page, "Calculator")).toHaveCount(0);
  await expect(nodeCard(page, "Group")).toContainText("2 nodes");
  await expect(page.getByRole("group", { name: /^tool connection/ })).toHaveCount(2);
  await saved(page);
  await page.reload();
  await canvasReady(page);
  await expect(nodeCard(page, "Group")).toContainText("2 nodes");
  await expect(page.getByRole("group", { name: /^tool connection/ })).toHaveCount(2);
  await nodeCard(page, "Group").dblclick();
  await expect(nodeCard(page, "Calculator")).toBeVisible();
});

test("a note is written and sized on the canvas", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await addByClick(page, "note", /^Note/);
  await page.getByRole("searchbox", { name: "Search nodes" }).press("Escape");
  const note = page.locator(".card-note");
  await atRest(page);
  await note.dblclick();
  await page.getByRole("textbox", { name: "Text of the note, in Markdown" }).fill("# Ask\n\nabout **numbers**");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(note.getByRole("heading", { name: "Ask" })).toBeVisible();
  const before = await note.boundingBox();
  const corner = await center(note.locator(".resize-corner"));
  await drag(page, note.locator(".resize-corner"), { x: corner.x + 80, y: corner.y + 40 });
  await expect.poll(async () => (await note.boundingBox())?.width).toBeGreaterThan((before?.width ?? 0) + 40);
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(async () => (await note.boundingBox())?.width).toBe(before?.width);
});

test("nodes go into another workflow, also where the page may not touch the clipboard", async ({ page, context }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await saved(page);
  const home = page.url();
  await page.keyboard.press("ControlOrMeta+a");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("ControlOrMeta+c");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(text)).toMatchObject({ kind: "switchyard-nodes" });
  expect(text.split("\n").length).toBeGreaterThan(50);
  await page.goto("/");
  await openTemplate(page, "Blank");
  await page.keyboard.press("ControlOrMeta+v");
  await expect(page.locator(".react-flow__node")).toHaveCount(6);
  await expect(page.locator(".react-flow__edge")).toHaveCount(5);
  await page.keyboard.press("ControlOrMeta+x");
  await expect(page.locator(".react-flow__node")).toHaveCount(0);

  await context.clearPermissions();
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException("Not allowed", "NotAllowedError"));
    Object.defineProperty(navigator, "clipboard", { value: { readText: refuse, writeText: refuse } });
  });
  await page.goto(home);
  await canvasReady(page);
  await nodeCard(page, "Calculator").click({ button: "right" });
  await page.getByRole("menuitem", { name: /^Copy/ }).click();
  const other = await context.newPage();
  await other.goto(home);
  await canvasReady(other);
  await other.locator(".react-flow__pane").click({ button: "right", position: { x: 30, y: 300 } });
  await other.evaluate(() => {
    const refuse = () => Promise.reject(new DOMException("Not allowed", "NotAllowedError"));
    Object.defineProperty(navigator, "clipboard", { value: { readText: refuse, writeText: refuse } });
  });
  await other.getByRole("menuitem", { name: /^Paste/ }).click();
  await expect(nodeCard(other, "Calculator 2")).toBeVisible();
});

test("on a phone the settings leave the node in view that they are about", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await page.getByRole("tab", { name: "Canvas" }).click();
  await page.getByRole("button", { name: "Search actions and nodes" }).click();
  await page.getByRole("combobox").fill("go to HTTP request");
  await page.keyboard.press("Enter");
  const settings = page.getByRole("region", { name: "Settings of HTTP request" });
  await expect(settings).toBeVisible();
  const card = nodeCard(page, "HTTP request");
  await expect
    .poll(async () => {
      const [node, panel] = [await card.boundingBox(), await settings.boundingBox()];
      return node !== null && panel !== null && node.y + node.height <= panel.y && node.y >= 0;
    })
    .toBe(true);
});
