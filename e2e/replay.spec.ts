import type { Page } from "@playwright/test";
import { ask, enterWithTemplate, expect, nodeCard, runEnded, runsStored, saved, showRun, test } from "./fixtures.ts";
import { enterWithSketch, openVendorAgent } from "./vendor-agent.ts";

/** Opens the last run of the workflow as it was. */
async function replayLast(page: Page): Promise<void> {
  await runEnded(page);
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("list", { name: "Stored runs" }).getByRole("link").first().click();
  await expect(page.getByRole("slider", { name: "Position in the run" })).toBeVisible();
}

test("a run is gone through by keyboard: canvas, steps, log and chat follow", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12.5% of 480?");
  await expect(page.getByRole("log")).toContainText("60");
  await replayLast(page);
  const slider = page.getByRole("slider", { name: "Position in the run" });
  const calculator = nodeCard(page, "Calculator").locator(".card-run");
  await expect(slider).toBeFocused();
  await expect(calculator).toHaveAttribute("data-status", "done");
  await page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /The run starts/);
  await expect(calculator).toHaveCount(0);
  for (let press = 0; press < 200; press += 1) {
    await page.keyboard.press("ArrowRight");
    if (/calls calculator/.test((await slider.getAttribute("aria-valuetext")) ?? "")) break;
  }
  await expect(calculator).toHaveAttribute("data-status", "running");
  await expect(page.getByRole("listbox", { name: "Steps" }).getByRole("option").last()).toContainText(/calculator/i);
  await showRun(page, "Logs");
  const log = page.getByRole("listbox", { name: "Log" });
  await expect(log.getByRole("option").last()).toContainText(/Tool calculator called/);
  await expect(log).not.toContainText("Run completed");
  await page.getByRole("tab", { name: "Chat" }).click();
  await expect(page.getByRole("log")).toContainText("What is 12.5% of 480?");
  await expect(page.getByRole("log")).not.toContainText("60");
  await slider.focus();
  await page.keyboard.press("End");
  await expect(calculator).toHaveAttribute("data-status", "done");
  await page.getByRole("tab", { name: "Chat" }).click();
  await expect(page.getByRole("log")).toContainText("60");
  await page.getByRole("combobox", { name: "Speed" }).selectOption("16");
  await page.getByRole("button", { name: "Play" }).click();
  await expect(slider).toHaveAttribute("aria-valuetext", /complete/, { timeout: 60_000 });
});

test("a failed run says why where it is opened, and its steps are gone through by keyboard", async ({
  page,
  vendor,
}) => {
  // Too low for a step below the list of steps.
  await page.setViewportSize({ width: 1_280, height: 520 });
  await openVendorAgent(page, vendor.baseUrl, vendor.key);
  await ask(page, "[401] hello");
  await replayLast(page);
  const panel = page.getByRole("tabpanel", { name: "Steps" });
  await expect(panel.getByRole("alert")).toContainText("refused the credential");
  const steps = panel.getByRole("listbox", { name: "Steps" });
  await steps.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(steps).toBeFocused();
  await expect(steps.getByRole("option", { selected: true })).toContainText("Agent");
  await page.keyboard.press("Enter");
  await expect(steps).toBeHidden();
  await expect(panel.getByRole("button", { name: "All", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(steps).toBeFocused();
});

test("a fork serves what came before from the recording, without a request, and can be compared", async ({
  page,
  vendor,
}) => {
  await openVendorAgent(page, vendor.baseUrl, vendor.key);
  await ask(page, "Good morning");
  await expect(page.getByRole("log")).toContainText("You said");
  await replayLast(page);
  const asked = vendor.requests.length;
  const steps = page.getByRole("listbox", { name: "Steps" });
  await steps.getByRole("option").filter({ hasText: "gpt-4o-mini" }).first().click();
  await page.getByRole("button", { name: "Fork from here" }).click();
  const dialog = page.getByRole("dialog", { name: "Fork from here" });
  await dialog.getByRole("combobox", { name: "What is different" }).selectOption({ label: "Give another answer" });
  await dialog.getByRole("textbox", { name: "Answer" }).fill("An answer that nobody paid for.");
  await dialog.getByRole("button", { name: "Continue from here" }).click();
  const fork = page.getByRole("region", { name: "Fork" });
  await expect(fork).toContainText("1 call served from the recording");
  await expect(fork).toContainText("Completed");
  await page.getByRole("tab", { name: "Chat" }).click();
  await expect(page.getByRole("log")).toContainText("nobody paid for");
  expect(vendor.requests.length).toBe(asked);

  await fork.getByRole("button", { name: "Back to the recorded run" }).click();
  await showRun(page, "Steps");
  await steps.getByRole("option").filter({ hasText: "gpt-4o-mini" }).first().click();
  await page.getByRole("button", { name: "Fork from here" }).click();
  await dialog.getByRole("textbox", { name: "User" }).last().fill("Good evening");
  await dialog.getByRole("button", { name: "Continue from here" }).click();
  await expect(fork).toContainText("Completed");
  expect(vendor.requests.length).toBe(asked + 1);
  expect(JSON.stringify(vendor.requests.at(-1))).toContain("Good evening");

  await fork.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("heading", { name: "Compare runs" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Both runs" })).toContainText("Completed");
  await expect(page.getByRole("list", { name: "Steps side by side" })).toContainText("other request");
});

test("a fork of a run of one node runs that node alone, and says so where an older run does not tell its part @rest", async ({
  page,
}) => {
  await enterWithSketch(page, "Parts", {
    nodes: {
      start: { type: "manual-trigger", title: "Start" },
      agent: { type: "ai-agent", title: "Agent" },
      model: { type: "demo-model", title: "Model", position: { x: 280, y: 400 } },
      after: { type: "set-fields", title: "After" },
    },
    edges: [
      ["start.main", "agent.main"],
      ["model.model", "agent.model"],
      ["agent.main", "after.main"],
    ],
  });
  await saved(page);
  await nodeCard(page, "Agent").locator(".card-title").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Run this node" }).click();
  const alone = page.getByRole("dialog", { name: /Agent/ });
  await alone.getByRole("textbox", { name: "Value" }).fill('{ "message": "Good morning" }');
  await alone.getByRole("button", { name: "Run this node" }).click();
  await runEnded(page);
  const steps = page.getByRole("listbox", { name: "Steps" });
  const agent = steps.getByRole("option", { name: /^Agent/ });
  const others = steps.getByRole("option", { name: /^(Start|After)/ });
  await expect(agent).toBeVisible();
  await page.getByRole("button", { name: "Run options" }).click();
  await page.getByRole("menuitem", { name: "Run again with the same input" }).click();
  await runEnded(page);
  await expect(agent).toBeVisible();
  await expect(others).toHaveCount(0);

  await replayLast(page);
  const fork = page.getByRole("region", { name: "Fork" });
  const dialog = page.getByRole("dialog", { name: "Fork from here" });
  const forkFirstCall = async () => {
    await steps.getByRole("option").filter({ hasText: /demo/i }).first().click();
    await page.getByRole("button", { name: "Fork from here" }).click();
    await dialog.getByRole("combobox", { name: "What is different" }).selectOption({ label: "Give another answer" });
  };
  await forkFirstCall();
  await dialog.getByRole("textbox", { name: "Answer" }).fill("Good evening");
  await dialog.getByRole("button", { name: "Continue from here" }).click();
  await expect(fork).toContainText("Completed");
  await expect(agent).toBeVisible();
  await expect(others).toHaveCount(0);

  await runsStored(page);
  await page.route(/rest\/v1\/studio_run_events/, async (route) => {
    const answer = await route.fetch();
    const rows = (await answer.json()) as { event: { part?: object } }[];
    await route.fulfill({ response: answer, json: rows.map(({ event: { part: _part, ...event } }) => ({ event })) });
  });
  await page.reload();
  await forkFirstCall();
  await expect(dialog.getByRole("alert")).toContainText("which part was not stored");
  await expect(dialog.getByRole("button", { name: "Continue from here" })).toBeDisabled();
});

test("a tool call in the chat leads to its node, and a call in the editor to its fork in one click @rest", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12.5% of 480?");
  await expect(page.getByRole("log")).toContainText("60");
  await runEnded(page);
  const call = page.getByRole("log").getByRole("button", { name: /^calculator/ });
  await call.click();
  await expect(page.getByRole("button", { name: "Go to Calculator" })).toBeAttached();
  await expect(call).toBeInViewport();
  await page.getByRole("button", { name: "Go to Calculator" }).click();
  await expect(page.locator(".react-flow__node.selected")).toContainText("Calculator");
  await page.keyboard.press("Escape");

  await showRun(page, "Steps");
  await page
    .getByRole("listbox", { name: "Steps" })
    .getByRole("option")
    .filter({ hasText: /^calculator/ })
    .click();
  await page.getByRole("button", { name: "Fork from here" }).click();
  const dialog = page.getByRole("dialog", { name: "Fork from here" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page).not.toHaveURL(/fork=/);
  await expect(page).toHaveURL(/\/runs\/.*call=/);
});

test("the decisions of a run are made again, counted beside its steps, and change nothing", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12.5% of 480?");
  await expect(page.getByRole("log")).toContainText("60");
  await replayLast(page);
  await page.getByRole("button", { name: "Check decisions" }).click();
  const dialog = page.getByRole("dialog", { name: "How stable is each decision?" });
  await expect(dialog).toContainText("10 requests, about $0");
  await dialog.getByLabel("Stop at (US dollars)").fill("none");
  await expect(dialog).toContainText("Enter an amount above 0");
  await expect(dialog.getByRole("button", { name: "Check", exact: true })).toBeDisabled();
  await dialog.getByLabel("Stop at (US dollars)").fill("0.50");
  await dialog.getByRole("button", { name: "Check", exact: true }).click();
  await expect(dialog.getByRole("status")).toContainText("10 requests made");
  const calls = dialog.getByRole("region", { name: "Decisions" }).getByRole("listitem");
  await expect(calls.first()).toContainText("The model decided the same 5 of 5 times");
  await expect(calls.first()).toContainText(/5 ×.*calls calculator/);
  await dialog.getByRole("button", { name: "Show in Steps" }).first().click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("With 95 % confidence it does so at least 57 % of the time.")).toBeVisible();
  const steps = page.getByRole("listbox", { name: "Steps" });
  await expect(steps.getByRole("img", { name: "Decided the same 5 of 5 times" })).toHaveCount(2);
  await showRun(page, "Waterfall");
  await expect(page.getByRole("img", { name: "Decided the same 5 of 5 times" })).toHaveCount(2);
  // It is still there after a reload.
  await page.reload();
  await showRun(page, "Steps");
  await expect(page.getByRole("img", { name: "Decided the same 5 of 5 times" })).toHaveCount(2);
  // Nothing was added: neither a run nor a message of the conversation.
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await expect(page.getByRole("list", { name: "Stored runs" }).getByRole("listitem")).toHaveCount(1);
});
