import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { newDocument, newNode } from "../src/engine/document/new-document.ts";
import { nodeRegistry } from "../src/nodes/index.ts";
import { atRest, canvasReady, enterWithTemplate, expect, nodeCard, saved, test } from "./fixtures.ts";
import { signInAsGuest } from "./guest.ts";
import { enterWithSketch } from "./vendor-agent.ts";
import { addByClick, center, drag, port } from "./pointer.ts";

/** The middle of the wire between two cards, in pixels of the page. */
async function middleOfWire(page: Page, name: string): Promise<{ x: number; y: number }> {
  return center(page.locator(`.react-flow__edge[aria-label="${name}"] .react-flow__edge-interaction`));
}

const mainWire = "Connection from Chat message to Agent";

test("what is dropped on a wire goes between its ends", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
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

test("a click on a port adds what fits, and a double-click on a wire puts something between @rest", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await port(nodeCard(page, "Agent"), "tools").click();
  await page.getByPlaceholder("Add a node that fits").fill("code");
  await page.keyboard.press("Enter");
  await expect(nodeCard(page, "Agent")).toContainText("3 tools");
  await page.keyboard.press("Escape");
  await atRest(page);
  const wire = await middleOfWire(page, mainWire);
  // The wire's buttons appear under neither click.
  await page.mouse.move(wire.x, wire.y, { steps: 3 });
  await expect(page.getByRole("button", { name: "Delete this connection" })).toBeVisible();
  await page.mouse.dblclick(wire.x, wire.y);
  await page.getByPlaceholder("Insert a node here").fill("set fields");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("group", { name: "Connection from Set fields to Agent" })).toHaveCount(1);
});

test("a node is replaced and keeps its wires; a title is changed in its place", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await nodeCard(page, "Demo model").click();
  // It takes room from the canvas, which moves its view.
  await expect(page.getByRole("region", { name: "Settings of Demo model" })).toBeVisible();
  await page.keyboard.press("r");
  await page.getByPlaceholder("Replace with…").fill("openai-compatible");
  await page.keyboard.press("Enter");
  await expect(nodeCard(page, "Demo model")).toHaveCount(0);
  await expect(page.getByRole("group", { name: /^model connection from OpenAI.* to Agent$/ })).toHaveCount(1);
  await atRest(page);
  await nodeCard(page, "Calculator").locator(".card-title").dblclick();
  await page.getByRole("textbox", { name: "Title of Calculator" }).fill("Abacus");
  await page.keyboard.press("Enter");
  await expect(nodeCard(page, "Abacus")).toBeVisible();
});

test("a group is drawn by box, folds into one card with its wires, and stays so", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
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
  const title = await center(frame.locator(".frame-title"));
  // Away from the agent, whose wires would lie over the button that folds the group.
  await drag(page, frame.locator(".frame-title"), { x: title.x + 60, y: title.y + 60 });
  await expect.poll(async () => (await center(nodeCard(page, "Calculator"))).y).toBeGreaterThan(before.y + 20);
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

test("a group whose button lies under a wire is folded by it @rest", async ({ page }) => {
  await enterWithSketch(page, "Crossed", {
    nodes: {
      start: { type: "manual-trigger", title: "Start", position: { x: 0, y: 0 } },
      group: { type: "group", title: "Crossed", position: { x: 280, y: 8 }, config: { width: 240, height: 160 } },
      last: { type: "set-fields", title: "Last", position: { x: 640, y: 0 } },
    },
    edges: [["start.main", "last.main"]],
  });
  await page.getByRole("button", { name: "Fold Crossed" }).click();
  await expect(nodeCard(page, "Crossed")).toContainText("0 nodes");
});

test("a note is written and sized on the canvas @rest", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
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

test("wires go round the cards between their ends, and tools under their agent leave below like its model", async ({
  page,
}) => {
  const guest = await signInAsGuest(page);
  const document = newDocument(randomUUID(), "Round");
  const add = (id: string, type: string, x: number, y: number) => {
    const definition = nodeRegistry[type];
    if (definition) document.nodes[id] = newNode(definition, { id, position: { x, y } });
  };
  const connect = (from: string, to: string, fromPort = "main", toPort = "main") => {
    const id = `${from}-${to}`;
    document.edges[id] = { id, from: { node: from, port: fromPort }, to: { node: to, port: toPort } };
  };
  add("chat", "chat-trigger", 0, 0);
  add("between", "set-fields", 320, 0);
  add("agent", "ai-agent", 720, 0);
  add("model", "demo-model", 720, 280);
  add("tool", "calculator-tool", 720, 400);
  connect("chat", "agent");
  connect("model", "agent", "model", "model");
  connect("tool", "agent", "tool", "tools");
  await page.goto(await guest.addressOf(document));
  await canvasReady(page);

  /** Cards that a wire is drawn under, beside those at its ends. */
  const under = (edge: string) =>
    page.locator(`.react-flow__edge[data-id="${edge}"] .wire`).evaluate((wire) => {
      if (!(wire instanceof SVGPathElement)) return ["no wire"];
      const matrix = wire.getScreenCTM();
      const length = wire.getTotalLength();
      const points = Array.from({ length: 99 }, (_, index) =>
        wire.getPointAtLength((length * (index + 1)) / 100).matrixTransform(matrix ?? undefined),
      );
      return [...window.document.querySelectorAll<HTMLElement>(".react-flow__node")].flatMap((card) => {
        const box = card.getBoundingClientRect();
        const isUnder = points.some(({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom);
        return isUnder ? [card.dataset["id"]] : [];
      });
    });
  const tools = port(nodeCard(page, "AI agent"), "tools");
  await expect(tools).toHaveClass(/handle-bottom/);
  for (const edge of ["chat-agent", "model-agent", "tool-agent"]) await expect.poll(() => under(edge)).toEqual([]);

  // A card that comes in the way is gone round once it is let go.
  await drag(page, nodeCard(page, "Set fields").locator(".card-title"), { x: 500, y: 100 });
  await page.keyboard.press("Escape");
  for (const edge of ["chat-agent", "model-agent", "tool-agent"]) await expect.poll(() => under(edge)).toEqual([]);
  await drag(page, nodeCard(page, "Calculator").locator(".card-title"), { x: 400, y: 250 });
  await expect(tools).toHaveClass(/handle-right/);
});
