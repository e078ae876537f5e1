import {
  ask,
  canvasReady,
  enterAsGuest,
  enterWithTemplate,
  expect,
  nodeCard,
  openTemplate,
  runEnded,
  runsStored,
  saved,
  test,
} from "./fixtures.ts";
import { setAssertions } from "./suite-settings.ts";
import { look } from "./look.ts";
import { openVendorAgent } from "./vendor-agent.ts";

test("describing an agent puts it on the canvas as a proposal, and accepting makes it work", async ({ page }) => {
  await enterAsGuest(page);
  await page.getByRole("button", { name: "New workflow" }).click();
  const gallery = page.getByRole("dialog", { name: "New workflow" });
  await gallery.getByLabel("Describe your agent").fill("Build an agent that can calculate");
  await gallery.getByRole("button", { name: "Build it" }).click();
  const review = page.getByRole("region", { name: "Proposed changes" });
  await expect(review.getByText("Adds 5 nodes and makes 4 connections.")).toBeVisible({ timeout: 30_000 });
  await expect(page.locator(".card-ghost")).toHaveCount(5);
  await expect(page.locator(".edge-ghost")).toHaveCount(4);
  await expect(review.getByRole("button", { name: "Accept all" })).toBeEnabled();
  await look(page, "assistant-proposal", { both: true });

  // One is not wanted; the wire to it goes along.
  await review.getByRole("button", { name: "Reject: Add Window memory" }).click();
  await expect(page.locator(".card-ghost")).toHaveCount(4);
  await expect(page.locator(".edge-ghost")).toHaveCount(3);
  await review.getByRole("button", { name: "Accept: Add Helper (AI agent)" }).click();
  await expect(page.getByText("This change does not work without others.")).toBeVisible();
  await review.getByRole("button", { name: "Accept all" }).click();
  await expect(page.locator(".card-ghost")).toHaveCount(0);
  await expect(nodeCard(page, "Helper")).toBeVisible();
  await saved(page);
  await expect(review).toBeHidden();

  // All of it is one step back, and forward again.
  await page.getByRole("button", { name: /^Undo: Accept the assistant/ }).click();
  await expect(nodeCard(page, "Helper")).toBeHidden();
  await page.getByRole("button", { name: /^Redo: Accept the assistant/ }).click();
  await expect(nodeCard(page, "Helper")).toBeVisible();

  // What belongs to the studio does not stand among what is mine.
  const library = await page.context().newPage();
  await library.goto("/");
  await expect(library.getByRole("link", { name: "Build an agent that can calculate" })).toBeVisible();
  await expect(library.getByText("Assistant", { exact: true })).toHaveCount(0);
  await library.close();

  // What an answer names can be gone to.
  const panel = page.getByRole("complementary", { name: "Assistant" });
  await panel.getByRole("textbox", { name: "Message to the assistant" }).fill("What does this workflow do?");
  await page.keyboard.press("Enter");
  await panel.getByRole("button", { name: "Calculator", exact: true }).click();
  await expect(page.getByRole("region", { name: "Settings of Calculator" })).toBeVisible();
  await panel.getByRole("button", { name: "Close the assistant" }).click();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12.5% of 480?");
  await runEnded(page);
  await expect(page.getByRole("log", { name: "Conversation" }).getByText(/60/).last()).toBeVisible();
});

test("a proposal waits over a reload with its conversation, and another workflow has a conversation of its own @rest", async ({
  page,
}) => {
  await enterAsGuest(page);
  await page.getByRole("button", { name: "New workflow" }).click();
  const gallery = page.getByRole("dialog", { name: "New workflow" });
  await gallery.getByLabel("Describe your agent").fill("Build an agent that can calculate");
  await gallery.getByRole("button", { name: "Build it" }).click();
  const review = page.getByRole("region", { name: "Proposed changes" });
  await expect(review.getByRole("button", { name: "Accept all" })).toBeEnabled({ timeout: 30_000 });
  const panel = page.getByRole("complementary", { name: "Assistant" });
  await expect(panel).toContainText("accept or reject each change");
  await runsStored(page);
  await page.reload();
  await canvasReady(page);
  await expect(panel).toContainText("accept or reject each change");
  await expect(review.getByText("Adds 5 nodes")).toBeVisible();
  await expect(page.locator(".card-ghost")).toHaveCount(5);

  // It waits on the canvas as well while the conversation is closed.
  await panel.getByRole("button", { name: "Close the assistant" }).click();
  await expect(page.locator(".card-ghost")).toHaveCount(5);
  await review.getByRole("button", { name: "Details" }).click();
  await expect(panel).toBeVisible();

  await page.getByRole("link", { name: "Workflows" }).click();
  await openTemplate(page, "Ask with tools");
  await expect(panel.getByRole("heading", { name: "Ask the assistant" })).toBeVisible();
  await expect(review).toHaveCount(0);
  await page.goBack();
  await page.goBack();
  await review.getByRole("button", { name: "Accept all" }).click();
  await expect(nodeCard(page, "Helper")).toBeVisible();
  await saved(page);
  await page.reload();
  await canvasReady(page);
  await expect(review).toHaveCount(0);
});

test("the keyboard comes to a proposal when it arrives, and goes back to the conversation once it is decided", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await enterWithTemplate(page, "Approval flow");
  // One of both gives way, so that half of the window stays for the canvas.
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByRole("complementary", { name: "Run panel" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+i");
  const panel = page.getByRole("complementary", { name: "Assistant" });
  await expect(panel).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Run panel" })).toHaveCount(0);
  expect((await page.locator(".react-flow").boundingBox())?.width).toBeGreaterThanOrEqual(640);

  const message = panel.getByRole("textbox", { name: "Message to the assistant" });
  await message.fill("Add a calculator");
  await page.keyboard.press("Enter");
  const review = page.getByRole("region", { name: "Proposed changes" });
  await expect(review).toBeFocused({ timeout: 30_000 });
  await page.keyboard.press("Tab");
  await expect(review.getByRole("button", { name: "Reject all" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(review).toBeHidden();
  await expect(message).toBeFocused();

  // A card's settings take the assistant's place as long as it is selected.
  await nodeCard(page, "Support agent").click();
  await expect(page.getByRole("region", { name: "Settings of Support agent" })).toBeVisible();
  await expect(panel).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(panel).toBeVisible();
  await panel.getByRole("button", { name: "Close the assistant" }).click();
  await expect(page.getByRole("complementary", { name: "Run panel" })).toBeVisible();
});

test("S85 a failed run is explained with the steps that show it, and the assistant's runs are runs like any other @rest", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await canvasReady(page);
  // A template that names what is not there.
  await nodeCard(page, "Agent").click();
  await page.getByRole("textbox", { name: "User message" }).fill("{{json.nothing.here}}");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "Hello");
  await page.getByRole("button", { name: "Why did this fail?" }).click();
  const panel = page.getByRole("complementary", { name: "Assistant" });
  const verdict = panel.getByRole("region", { name: "Cause" });
  await expect(verdict.getByText("Settings")).toBeVisible({ timeout: 30_000 });
  // The fix is tried on the recorded run before anybody is asked to believe it.
  await expect(panel.getByText("Reproduced, then fixed")).toBeVisible({ timeout: 30_000 });
  await look(page, "assistant-verdict", { both: true });
  // In words of the conversation: neither ids nor names of tools.
  const log = panel.getByRole("log", { name: "Messages with the assistant" });
  await expect(log).toContainText("Why did this run fail?");
  await expect(log).toContainText("Reading the run");
  await expect(log.getByRole("region", { name: "Proposed changes" })).toBeVisible();
  await expect(panel).not.toContainText(/[0-9a-f]{8}-[0-9a-f]{4}|_run|_verdict|_workflow/);
  await expect(panel.getByRole("button", { name: "Open the run" })).toBeVisible();
  await verdict.getByRole("button", { name: /^Step \d+/ }).click();
  await expect(page.getByRole("tab", { name: "Steps" })).toHaveAttribute("aria-selected", "true");
  const steps = page.getByRole("tabpanel", { name: "Steps" });
  await expect(steps.getByRole("heading", { name: "Input" })).toBeVisible();

  await panel.getByRole("button", { name: "Accept all" }).click();
  await page.getByRole("tab", { name: "Node", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "User message" })).toHaveText("{{json.message}}");
  await saved(page);

  await panel.getByRole("button", { name: "Open the assistant's own workflow: prompt, model and runs" }).click();
  await expect(nodeCard(page, "Studio tools")).toBeVisible();
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByText(/Why did this run fail/).first()).toBeVisible();
});

test("the assistant offers the real model of the workflow, and takes it at one click", async ({ page, vendor }) => {
  await openVendorAgent(page, vendor.baseUrl, vendor.key, { model: { inputPrice: 0, outputPrice: 0 } });
  await page.keyboard.press("ControlOrMeta+i");
  const panel = page.getByRole("complementary", { name: "Assistant" });
  await expect(panel).toContainText("This workflow has a real model: Vendor ····back · OpenAI-compatible server");
  await look(page, "assistant-offer", { both: true });
  await panel.getByRole("button", { name: "Use gpt-4o-mini" }).click();
  await expect(panel.getByText("The demo model answers by simple rules.")).toHaveCount(0);
  const before = vendor.requests.length;
  await panel.getByRole("textbox", { name: "Message to the assistant" }).fill("What does this workflow do?");
  await page.keyboard.press("Enter");
  await expect.poll(() => vendor.requests.length).toBeGreaterThan(before);
});

test("on a phone the assistant fills the page, and what it proposes is seen and accepted on the canvas @rest", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterAsGuest(page);
  await page.getByRole("button", { name: "New workflow" }).click();
  const gallery = page.getByRole("dialog", { name: "New workflow" });
  await gallery.getByLabel("Describe your agent").fill("Build an agent that can calculate");
  await gallery.getByRole("button", { name: "Build it" }).click();
  const review = page.getByRole("region", { name: "Proposed changes" });
  await expect(review.getByRole("button", { name: "Accept all" })).toBeEnabled({ timeout: 30_000 });
  await look(page, "assistant-phone", { both: true });
  await review.getByRole("button", { name: "Show on the canvas" }).click();
  await expect(page.getByRole("complementary", { name: "Assistant" })).toBeHidden();
  await expect(page.locator(".card-ghost").first()).toBeInViewport();
  await look(page, "assistant-phone-canvas", { both: true });
  await review.getByRole("button", { name: "Accept all" }).click();
  await expect(review).toBeHidden();
  await expect(nodeCard(page, "Helper")).toBeVisible();
});

test("prompts are improved for a suite, and only what the suite measures to be better can be accepted @rest", async ({
  page,
}) => {
  await enterAsGuest(page);
  await page.getByRole("link", { name: "Tests", exact: true }).click();
  await page.getByRole("button", { name: "Try an example" }).click();
  await page.getByRole("menuitem", { name: "Ask with tools" }).click();
  await page.getByRole("tab", { name: "Settings" }).click();
  await setAssertions(page, '[{ "type": "contains", "value": "a unicorn" }]');
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByRole("status").filter({ hasText: "The suite is saved" }).waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("button", { name: "Improve" }).click({ timeout: 60_000 });
  const review = page.getByRole("region", { name: "Proposed changes" });
  await expect(review.getByText("Changes 1 setting.")).toBeVisible({ timeout: 30_000 });
  await expect(review.getByRole("button", { name: "Accept all" })).toBeDisabled();
  await review.getByRole("button", { name: "Measure" }).click();
  await expect(review.getByText("Measured: not better")).toBeVisible({ timeout: 60_000 });
  await look(page, "assistant-measured", { both: true });
  await expect(review.getByRole("button", { name: "Accept all" })).toBeDisabled();
  await review.getByRole("button", { name: "Reject all" }).click();
  await expect(review).toBeHidden();
});
