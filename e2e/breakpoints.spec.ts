import type { Page } from "@playwright/test";
import {
  ask,
  canvasReady,
  enterWithTemplate,
  expect,
  nodeCard,
  runEnded,
  saved,
  showRun,
  test,
  widePanel,
} from "./fixtures.ts";
import { enterWithSketch } from "./vendor-agent.ts";

const status = (page: Page, title: string) => nodeCard(page, title).locator(".card-run");
const paused = (page: Page, name: RegExp) => page.getByRole("region", { name: "Paused" }).getByRole("group", { name });

test("a run is held at a breakpoint, with another input, and before tool calls, step by step", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await nodeCard(page, "Agent").locator(".card-title").click();
  await page.keyboard.press("F9");
  await expect(nodeCard(page, "Agent").getByRole("img", { name: "Breakpoint" })).toBeVisible();
  await page.reload();
  await canvasReady(page);
  await expect(nodeCard(page, "Agent").getByRole("img", { name: "Breakpoint" })).toBeVisible();

  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 2 + 3?");
  await expect(status(page, "Agent")).toHaveText("paused");
  await expect(status(page, "Calculator")).toHaveText("waiting");
  // What is known while the run is held shows in the settings; what is not known yet is no mistake.
  await nodeCard(page, "Agent").locator(".card-title").click();
  const settings = page.getByRole("region", { name: "Settings of Agent" });
  await expect(settings.getByRole("status", { name: "Result" }).first()).toContainText("What is 2 + 3?");
  await expect(settings).not.toContainText("does not exist");
  await page.getByRole("tab", { name: "Chat", exact: true }).click();
  const agent = paused(page, /before Agent/);
  const input = agent.getByRole("textbox", { name: "Input" });
  await input.fill("{");
  await expect(agent.getByRole("alert")).toContainText("not valid JSON");
  await expect(agent.getByRole("button", { name: "Step" })).toBeDisabled();
  await page.keyboard.press("F10");
  await expect(page.getByText("your edit cannot be used")).toBeVisible();
  await input.fill('{ "message": "What is 4 * 5?", "sessionId": "held" }');
  // The buttons of the top bar take the edit as well.
  await page.getByRole("button", { name: "Step", exact: true }).first().click();

  await paused(page, /before a call to Demo model/)
    .getByRole("button", { name: "Step" })
    .click();
  const call = paused(page, /tool call calculator/);
  await call.getByRole("textbox", { name: "Arguments" }).fill('{ "expression": "50 + 50" }');
  await call.getByRole("button", { name: "Continue as edited" }).click();
  await expect(page.getByRole("log")).toContainText("is 100.");
  await runEnded(page);
  await showRun(page, "Steps");
  await page.getByRole("option", { name: /^calculator/ }).click();
  await expect(page.getByText("Edited at a breakpoint")).toBeVisible();
});

test("a held run is stopped on the node, and goes on by key @rest", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Run options" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Before tool calls" }).click();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 2 + 3?");
  await nodeCard(page, "Calculator").getByRole("button", { name: "Stop" }).click();
  await runEnded(page);
  await expect(page.getByRole("log")).toContainText("stopped");

  await ask(page, "What is 3 + 4?");
  await expect(status(page, "Calculator")).toHaveText("paused");
  await page.keyboard.press("F8");
  await expect(page.getByRole("log")).toContainText("is 7.");
  await page.getByRole("button", { name: /^Run options/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Before tool calls" }).click();
  await ask(page, "What is 5 + 6?");
  await expect(page.getByRole("log")).toContainText("is 11.");
});

test("a node runs alone and from itself on, with previous, typed and pinned input", async ({ page }) => {
  await widePanel(page);
  await enterWithSketch(page, "Parts", {
    nodes: {
      start: { type: "manual-trigger", title: "Start", config: { input: { n: 2 } } },
      double: { type: "set-fields", title: "Double", config: { fields: { n: "{{json.n * 2}}" } } },
      last: { type: "set-fields", title: "Last", config: { fields: { result: "{{json.n + 1}}" } } },
    },
    edges: [
      ["start.main", "double.main"],
      ["double.main", "last.main"],
    ],
  });
  await saved(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const steps = page.getByRole("tabpanel", { name: "Steps" });
  const result = steps.getByRole("treeitem").filter({ hasText: "result" }).first();
  await expect(result).toContainText("5");

  const choose = async (title: string, item: string) => {
    await nodeCard(page, title).locator(".card-title").click({ button: "right" });
    await page.getByRole("menuitem", { name: item }).click();
    return page.getByRole("dialog", { name: new RegExp(title) });
  };
  const alone = await choose("Last", "Run this node");
  await expect(alone.getByRole("textbox", { name: "Value" })).toHaveValue(/"n": 4/);
  await alone.getByRole("button", { name: "Run this node" }).click();
  await expect(status(page, "Last")).toHaveAttribute("data-status", "done");
  await expect(steps.getByRole("option")).toHaveCount(2);

  const from = await choose("Double", "Run from here");
  await from.getByRole("textbox", { name: "Value" }).fill("{");
  await expect(from.getByRole("button", { name: "Run from here" })).toBeDisabled();
  await from.getByRole("textbox", { name: "Value" }).fill('{ "n": 50 }');
  await from.getByRole("textbox", { name: "Value" }).press("Control+Enter");
  await expect(steps.getByRole("option")).toHaveCount(3);
  await expect(steps).toContainText("101");

  await nodeCard(page, "Double").locator(".card-title").click();
  const inspector = page.getByRole("region", { name: "Settings of Double" });
  await inspector.getByRole("tab", { name: "Output" }).click();
  await inspector.getByRole("button", { name: "Pin this output" }).click();
  await expect(nodeCard(page, "Double").getByRole("img", { name: "Output pinned" })).toBeVisible();
  await inspector.getByRole("button", { name: "Edit" }).click();
  await inspector.getByRole("textbox", { name: "Pinned output" }).fill('{ "n": 7 }');
  await inspector.getByRole("button", { name: "Pin this" }).click();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(result).toContainText("8");
  await page.getByRole("tab", { name: "Node", exact: true }).click();
  await inspector.getByRole("button", { name: "Unpin" }).click();
  await expect(nodeCard(page, "Double").getByRole("img", { name: "Output pinned" })).toBeHidden();
  await page.getByRole("button", { name: "Run options" }).click();
  await page.getByRole("menuitem", { name: "Run again with the same input" }).click();
  await expect(result).toContainText("5");
});
