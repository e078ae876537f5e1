import type { Locator, Page } from "@playwright/test";
import { ask, atRest, canvasReady, enterWithTemplate, expect, nodeCard, saved, test } from "./fixtures.ts";
import { center, drag, hold, port } from "./pointer.ts";

/** Takes the end of a wire that lies at its input port, and lets go of it somewhere else. */
async function pullEnd(page: Page, wire: string, to: { x: number; y: number }): Promise<void> {
  await page.getByRole("group", { name: wire }).focus();
  await page.keyboard.press("Space");
  await drag(page, page.locator(".react-flow__edgeupdater-target"), to);
}

const wires = (page: Page) => page.locator(".react-flow__edge");

test("the end of a wire is pulled to another port, and stays where nothing fits", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const wire = "model connection from Demo model to Agent";
  const agent = nodeCard(page, "Agent");

  // Of another kind: refused in words, which go with the gesture.
  const refusal = page.getByRole("status").filter({ hasText: /model.*tool|tool.*model/i });
  await page.getByRole("group", { name: wire }).focus();
  await page.keyboard.press("Space");
  await hold(page, page.locator(".react-flow__edgeupdater-target"), await center(port(agent, "tools")));
  await expect(refusal.first()).toBeVisible();
  await page.mouse.up();
  await expect(refusal).toHaveCount(0);
  await expect(page.getByRole("group", { name: wire })).toHaveCount(1);
  // Over nothing: as before, and nothing to undo.
  const pane = await page.locator(".react-flow__pane").boundingBox();
  await pullEnd(page, wire, { x: (pane?.x ?? 0) + 40, y: (pane?.y ?? 0) + 400 });
  await expect(page.getByRole("group", { name: wire })).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^Undo/ })).toBeDisabled();

  await pullEnd(page, wire, await center(port(agent, "fallback")));
  await expect(port(agent, "model")).toHaveAttribute("data-hollow", "true");
  await expect(wires(page)).toHaveCount(5);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(port(agent, "model")).not.toHaveAttribute("data-hollow");
  await expect(page.getByRole("button", { name: /^Undo/ })).toBeDisabled();

  // On a card: its port that fits.
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await page.getByRole("searchbox", { name: "Search nodes" }).fill("ai agent");
  await page.keyboard.press("Enter");
  await page.getByRole("searchbox", { name: "Search nodes" }).press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+1");
  await atRest(page);
  await pullEnd(page, wire, await center(nodeCard(page, "AI agent").locator(".card-title")));
  await expect(page.getByRole("group", { name: "model connection from Demo model to AI agent" })).toHaveCount(1);
  await expect(page.getByRole("group", { name: wire, exact: true })).toHaveCount(0);
});

test("tidying up goes on beside the page, or in it where no worker may start @rest", async ({ page, context }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const placesOf = (tab: Page) =>
    tab
      .locator(".react-flow__node")
      .evaluateAll((nodes) => nodes.map((node) => (node instanceof HTMLElement ? node.style.transform : "")));
  const before = await placesOf(page);
  const worker = page.waitForEvent("worker");
  await page.keyboard.press("Shift+T");
  expect((await worker).url()).toContain("layout-worker");
  await expect.poll(() => placesOf(page)).not.toEqual(before);
  const tidy = await placesOf(page);
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(() => placesOf(page)).toEqual(before);
  await saved(page);

  const other = await context.newPage();
  await other.addInitScript(() => Reflect.deleteProperty(window, "Worker"));
  await other.goto(page.url());
  await canvasReady(other);
  await expect(nodeCard(other, "Agent")).toBeVisible();
  await other.keyboard.press("Shift+T");
  await expect.poll(() => placesOf(other)).toEqual(tidy);
});

test("where motion is not wanted, a run and the canvas show their states without any @rest", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await enterWithTemplate(page, "Ask with tools");
  await page.evaluate(() => {
    const moving = new Set<string>();
    Object.assign(window, { moving });
    const look = (): void => {
      for (const animation of document.getAnimations()) {
        const { effect } = animation;
        const timing = effect?.getComputedTiming();
        const target = effect instanceof KeyframeEffect ? effect.target : null;
        const lasts = timing?.iterations === Infinity || Number(timing?.duration ?? 0) > 10;
        if (lasts) moving.add(`${target?.getAttribute("class") ?? ""}: ${Number(timing?.duration ?? 0)}`);
      }
      requestAnimationFrame(look);
    };
    look();
  });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12.5% of 480?");
  await expect(page.getByRole("log")).toContainText("60");
  await page.keyboard.press("Escape");
  const moving = await page.evaluate(() => [...(Reflect.get(window, "moving") as Set<string>)]);
  expect(moving).toEqual([]);
});

test("at 200 % zoom what floats over the canvas covers no card, also with the chat open @rest", async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 450 });
  await enterWithTemplate(page, "Ask with tools");
  const titles = ["Chat message", "Agent", "Demo model", "Window memory", "Calculator", "HTTP request"];
  for (const title of titles) await nodeCard(page, title).locator(".card-title").click({ trial: true });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toBeVisible();
  for (const title of titles) await nodeCard(page, title).locator(".card-title").click({ trial: true });
  await page.getByRole("button", { name: "Add node" }).click();
  await expect(page.getByRole("searchbox", { name: "Search nodes" })).toBeFocused();
});

test("the view keeps still while panels open and cards are dropped and dragged @rest", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterWithTemplate(page, "Ask with tools");
  const view = () =>
    page.locator(".react-flow__viewport").evaluate((element) => {
      const { x, y } = element.getBoundingClientRect();
      return `${x} ${y} ${getComputedStyle(element).transform}`;
    });
  const before = await view();
  await page.getByRole("button", { name: "Add node" }).click();
  await page.getByRole("searchbox", { name: "Search nodes" }).fill("calculator");
  const entry = page.getByRole("region", { name: "Add a node" }).getByRole("button", { name: /^Calculator/ });
  await expect(entry).toBeVisible();
  expect(await view()).toBe(before);

  const place = { x: 820, y: 700 };
  await drag(page, entry, place);
  const dropped = nodeCard(page, "Calculator 2");
  await expect(page.getByRole("region", { name: "Settings of Calculator 2" })).toBeVisible();
  await atRest(page);
  expect(await view()).toBe(before);
  const card = await dropped.boundingBox();
  expect(Math.abs((card?.x ?? 0) + (card?.width ?? 0) / 2 - place.x)).toBeLessThanOrEqual(8);
  expect(place.y - (card?.y ?? 0)).toBeGreaterThan(0);
  expect(place.y - (card?.y ?? 0)).toBeLessThan(card?.height ?? 0);

  // A drag ends under the pointer, with the settings open and the palette over the canvas.
  const title = dropped.locator(".card-title");
  const from = await center(title);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  // A drag counts from its first step on, which a hand makes small.
  await page.mouse.move(from.x - 1, from.y - 1);
  await page.mouse.move(from.x - 160, from.y - 40, { steps: 10 });
  await page.mouse.up();
  const to = await center(title);
  expect(Math.abs(to.x - (from.x - 160))).toBeLessThanOrEqual(8);
  expect(Math.abs(to.y - (from.y - 40))).toBeLessThanOrEqual(8);
  expect(await view()).toBe(before);

  // What a click adds comes into view by itself, and everything else stays where it is.
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox", { name: "Search nodes" }).fill("code tool");
  await page.keyboard.press("Enter");
  await atRest(page);
  await expect(nodeCard(page, "Code tool")).toBeInViewport({ ratio: 0.95 });
  for (const name of ["Chat message", "Window memory"]) await expect(nodeCard(page, name)).toBeInViewport();
  await page.getByRole("region", { name: "Add a node" }).getByRole("button", { name: "Close" }).click();

  // The settings of a card that they would hide move the view no further than they must.
  const rest = await view();
  await nodeCard(page, "Window memory").locator(".card-title").click();
  await expect(page.getByRole("region", { name: "Settings of Window memory" })).toBeVisible();
  await atRest(page);
  expect(await view()).toBe(rest);
});

test("the view stands still when a node is added from a port, and the node is in view", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.keyboard.press("Shift+0");
  await atRest(page);
  const view = () => page.locator(".react-flow__viewport").evaluate((element) => getComputedStyle(element).transform);
  const before = await view();
  const agent = nodeCard(page, "Agent");
  for (const [socket, type, title] of [
    [port(agent, "tools"), "code tool", "Code tool"],
    [agent.locator('.port[data-kind="main"][data-direction="output"]'), "set fields", "Set fields"],
  ] as const) {
    await socket.click();
    await page.getByPlaceholder("Add a node that fits").fill(type);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("region", { name: `Settings of ${title}` })).toBeVisible();
    await atRest(page);
    expect(await view()).toBe(before);
    await expect(nodeCard(page, title)).toBeInViewport({ ratio: 0.5 });
  }
});

test("cards are panned over, copied by dragging and handled together; wires carry their buttons", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const agent = nodeCard(page, "Agent");

  // Space pans, whatever is under the pointer.
  const start = await center(agent);
  await page.keyboard.down("Space");
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 60, start.y + 40, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up("Space");
  await expect.poll(async () => Math.round((await center(agent)).x - start.x)).toBe(60);
  await expect(page.getByRole("button", { name: /^Undo/ })).toBeDisabled();

  // Alt leaves the card where it is and puts a copy where it is let go.
  const tool = nodeCard(page, "Calculator");
  const apart = async (one: Locator, other: Locator) => {
    const [a, b] = [await center(one), await center(other)];
    return { x: Math.round(a.x - b.x), y: Math.round(a.y - b.y) };
  };
  const before = await center(tool);
  const fromAgent = await apart(tool, agent);
  await page.keyboard.down("Alt");
  await hold(page, tool.locator(".card-title"), { x: before.x - 300, y: before.y + 80 });
  await expect(page.locator(".drag-copy")).toHaveText("Calculator");
  await page.mouse.up();
  await page.keyboard.up("Alt");
  const copy = nodeCard(page, "Calculator 2");
  await expect(copy).toHaveCount(1);
  await atRest(page);
  expect(await apart(tool, agent)).toEqual(fromAgent);
  expect((await apart(tool, copy)).x).toBeGreaterThan(200);

  // Several selected cards have a bar of their own.
  await tool.locator(".card-title").click();
  await page.keyboard.down("Shift");
  await copy.locator(".card-title").click();
  await page.keyboard.up("Shift");
  const bar = page.getByRole("toolbar", { name: "Selected nodes" });
  await expect(bar.getByRole("button", { name: /^Run/ })).toBeDisabled();
  await bar.getByRole("button", { name: "Align" }).click();
  await page.getByRole("menuitem", { name: "Align left" }).click();
  await expect.poll(async () => Math.abs((await center(tool)).x - (await center(copy)).x)).toBeLessThan(1);
  await bar.getByRole("button", { name: "Delete" }).click();
  await expect(nodeCard(page, "Calculator")).toHaveCount(0);
  await expect(bar).toBeHidden();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("ControlOrMeta+z");
  await expect(copy).toHaveCount(0);
  await expect(tool).toHaveCount(1);

  // A wire under the pointer: between its ends something is added, or it goes.
  await page.keyboard.press("Escape");
  const pointAt = async (edge: Locator) => {
    const { x, y } = await center(edge.locator(".react-flow__edge-interaction"));
    await page.mouse.move(x, y + 30);
    await page.mouse.move(x, y);
  };
  const wire = page.getByRole("group", { name: /^Connection from .* to Agent$/ });
  await pointAt(wire);
  await page.getByRole("button", { name: "Insert a node here" }).click();
  await page.getByPlaceholder("Insert a node here").fill("set fields");
  await page.keyboard.press("Enter");
  await expect(nodeCard(page, "Set fields")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  const next = page.getByRole("group", { name: "Connection from Set fields to Agent" });
  await atRest(page);
  await pointAt(next);
  await page.getByRole("button", { name: "Delete this connection" }).click();
  await expect(next).toHaveCount(0);
});

test("lists and menus lie above the panels at every edge @rest", async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 640 });
  await enterWithTemplate(page, "Ask with tools");
  const onTop = (locator: Locator) =>
    locator.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const inside = left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight;
      const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y] as const));
      return inside && corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
    });
  await nodeCard(page, "Agent").locator(".card-title").click();
  await expect(page.getByRole("region", { name: "Settings of Agent" })).toBeVisible();
  await atRest(page);
  const pane = page.locator(".react-flow");
  const box = await pane.boundingBox();
  if (box === null) throw new Error("There is no canvas.");
  const menu = page.getByRole("menu");
  for (const [x, y] of [
    [box.width - 16, 40],
    [box.width - 16, box.height - 60],
    [box.width * 0.6, box.height - 16],
  ] as const) {
    await page.mouse.click(box.x + x, box.y + y, { button: "right" });
    await expect(menu).toBeVisible();
    expect(await onTop(menu)).toBe(true);
    await page.keyboard.press("Escape");
    await expect(menu).toHaveCount(0);
  }
  await nodeCard(page, "Agent").locator(".card-title").click();
  await port(nodeCard(page, "Agent"), "tools").click();
  const list = page.locator("[cmdk-root]");
  await expect(list).toBeVisible();
  expect(await onTop(list)).toBe(true);
});

/** The labels that stand in a card: their words, and where they are drawn. */
async function labelsIn(card: Locator) {
  return card.evaluate((element) =>
    [...element.querySelectorAll<HTMLElement>(".port[data-telling]")].flatMap((socket) => {
      if (getComputedStyle(socket).opacity !== "1") return [];
      const { content, width, height } = getComputedStyle(socket, "::after");
      const [x, y, w, h] = [socket.offsetLeft - 6, socket.offsetTop - 6, parseFloat(width), parseFloat(height)];
      // By the side of the port, whose box of 12 pixels stands around its place.
      const side = /handle-(left|right|bottom)/.exec(socket.className)?.[1];
      const left = side === "left" ? x + 12 : side === "right" ? x - w : x + 6 - w / 2;
      const top = side === "bottom" ? y - h : y + 6 - h / 2;
      return [{ words: content.replaceAll('"', ""), left, top, right: left + w, bottom: top + h }];
    }),
  );
}

test("labels of ports stand inside their card and touch nothing, and a run leaves its marks at any zoom @rest", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  const agent = nodeCard(page, "Agent");
  const words = async () => (await labelsIn(agent)).map((label) => label.words);
  await page.mouse.move(5, 400);
  await expect.poll(words).toEqual(["Memory", "Tools", "Model"]);
  // What few need comes with the pointer, and while a wire is held that fits it.
  await agent.hover();
  await expect.poll(words).toEqual(["Memory", "As a tool", "Tools", "Model", "Fallback models"]);
  const labels = await labelsIn(agent);
  for (const [index, a] of labels.entries()) {
    expect(a.left).toBeGreaterThanOrEqual(0);
    expect(a.right).toBeLessThanOrEqual(232);
    for (const b of labels.slice(index + 1)) {
      const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      expect(apart, `${a.words} and ${b.words}`).toBe(true);
    }
  }
  await page.mouse.move(5, 400);
  await expect.poll(words).toHaveLength(3);
  await hold(page, port(nodeCard(page, "Demo model"), "model"), { x: 700, y: 700 });
  // Those of other kinds step back.
  await expect.poll(words).toEqual(["Model", "Fallback models"]);
  const colours = await page.evaluate(() => [
    getComputedStyle(document.querySelector(".loose-wire") ?? document.body).stroke,
    getComputedStyle(document.querySelector('.wire[data-kind="model"]') ?? document.body).stroke,
  ]);
  expect(colours[0]).toBe(colours[1]);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 2 + 3?");
  await expect(page.getByRole("log")).toContainText("is 5.");
  await expect(nodeCard(page, "HTTP request").locator(".card-run")).toHaveCount(0);
  for (let step = 0; step < 8; step += 1) await page.getByRole("button", { name: "Zoom out" }).click();
  await atRest(page);
  await expect(agent.locator(".card-run > svg")).toBeVisible();
});

test("the map shows the whole graph, moves the view and zooms @rest", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Show the map" }).click();
  const map = page.getByRole("img", { name: "Map of the workflow" });
  await expect(map.locator("rect")).toHaveCount(await page.locator(".react-flow__node").count());
  await atRest(page);
  const viewport = page.locator(".react-flow__viewport");
  /** Where the view is: x, y and zoom. */
  const view = () =>
    viewport.evaluate((element) => {
      const { e, f, a } = new DOMMatrix(getComputedStyle(element).transform);
      return { x: e, y: f, zoom: a };
    });
  const before = await view();

  const { x, y } = await center(map);
  await drag(page, map, { x: x + 20, y: y + 10 });
  await expect.poll(async () => (await view()).x).toBeLessThan(before.x);
  const dragged = await view();
  expect(dragged.zoom).toBe(before.zoom);
  expect((before.x - dragged.x) / (before.y - dragged.y)).toBeCloseTo(2, 1);

  await map.hover();
  await page.mouse.wheel(0, -100);
  await expect.poll(async () => (await view()).zoom).toBeGreaterThan(before.zoom);

  // A click brings its place into the middle: here the upper left corner of all there is.
  await map.click({ position: { x: 12, y: 12 } });
  await expect.poll(async () => (await view()).x).toBeGreaterThan(dragged.x);

  await page.getByRole("button", { name: "Hide the map" }).click();
  await expect(map).toHaveCount(0);
});
