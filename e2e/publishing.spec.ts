import { randomUUID } from "node:crypto";
import { enterAsGuest, enterWithTemplate, expect, importWorkflow, nodeCard, saved, test } from "./fixtures.ts";
import { holdBack } from "./hold-back.ts";
import { look } from "./look.ts";
import { openDoor, openPublish, publishDialog, publishOpened } from "./published-runs.ts";
import { enterWithSketch, type Sketch } from "./vendor-agent.ts";

test("a workflow is published, changed, published again, rolled back and unpublished", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const dialog = await openPublish(page);
  // Another test of the same studio may have taken the first.
  await expect(dialog.getByLabel("Address")).toHaveValue(/^ask-with-tools(-\d+)?$/);
  await dialog.getByLabel("Address").fill("Ask me");
  await expect(dialog.getByRole("alert")).toHaveText("Use lowercase letters a–z, digits and hyphens.");
  await dialog.getByLabel("Address").fill("ask-me");
  await look(page, "wide-publish-first");
  await dialog.getByLabel("Note").fill("The first one");
  // Whoever leaves before it is published is told on any page; the message leads to where it runs.
  const publishing = await holdBack(page, /rpc\/studio_publish/, () => true);
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await publishing.asked;
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  publishing.release();
  await page
    .getByRole("status")
    .filter({ hasText: "Version 1 is live" })
    .getByRole("button", { name: "Where it runs", exact: true })
    .click();
  await expect(dialog.getByRole("tab", { name: "Where it runs" })).toHaveAttribute("aria-selected", "true");
  await expect(dialog.getByRole("switch", { name: "API" })).toBeChecked();
  await page.keyboard.press("Escape");
  const state = page.getByRole("status").filter({ hasText: "live: v1" });
  await expect(state).toHaveText("live: v1");

  await nodeCard(page, "Calculator").locator(".card-title").click();
  await page.keyboard.press("Delete");
  await expect(state).toHaveText("live: v1, 2 changes since");
  await openPublish(page);
  await expect(dialog).toContainText("Compared with version 1, which is live");
  await expect(dialog.getByRole("img", { name: /1 node removed/ })).toBeVisible();
  await look(page, "wide-publish");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await publishOpened(page, { note: "Without the calculator" });
  await expect(page.getByRole("status").filter({ hasText: "live: v2" })).toHaveText("live: v2");

  await openPublish(page);
  await dialog.getByRole("button", { name: "All versions" }).click();
  const versions = dialog.getByRole("list", { name: "Published versions" });
  await expect(versions.getByRole("button")).toHaveText([/^Version 2Live/, /^Version 1The first one/]);
  await versions.getByRole("button", { name: /^Version 1/ }).click();
  await look(page, "wide-published-versions");
  await dialog.getByRole("button", { name: "Roll back to this version" }).click();
  await expect(versions.getByRole("button", { name: /^Version 1/ })).toContainText("Live");
  await dialog.getByRole("button", { name: "Actions for version 1" }).click();
  await page.getByRole("menuitem", { name: "Unpublish" }).click();
  await expect(versions).not.toContainText("Live");
  await dialog.getByRole("button", { name: "Make it live" }).click();
  await expect(versions.getByRole("button", { name: /^Version 1/ })).toContainText("Live");

  await dialog.getByRole("tab", { name: "Limits and alerts" }).click();
  await dialog.getByLabel("US$ per day").fill("free");
  await expect(dialog.getByRole("alert")).toContainText("Use a number above zero");
  await dialog.getByLabel("US$ per day").fill("2.5");
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await expect(page.getByText("Limits saved")).toBeVisible();
  await look(page, "wide-publish-limits");
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.reload();
  await expect(page.getByRole("status").filter({ hasText: "live: v1" })).toBeVisible();
  await openPublish(page);
  await dialog.getByRole("tab", { name: "Limits and alerts" }).click();
  await expect(dialog.getByLabel("US$ per day")).toHaveValue("2.5");
});

test("publishing ends at the door: links and code to copy, what needs a trigger and what is rare under More, by keyboard", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const dialog = await openPublish(page);
  await dialog.getByLabel("Address").fill("at-the-door");
  await page.keyboard.press("Enter");
  const told = dialog.getByRole("status").filter({ hasText: "Version 1 is live" });
  await expect(told.locator("xpath=..")).toBeFocused();
  await expect(dialog.getByRole("tab", { name: "Where it runs" })).toHaveAttribute("aria-selected", "true");
  const rows = dialog.getByRole("list", { name: "Where it runs" }).getByRole("switch");
  await expect(rows).toHaveText(["", "", ""]);
  const chatPage = dialog.getByRole("switch", { name: "Chat page" });
  await expect(chatPage).toHaveAccessibleDescription("A page where people chat with it");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(chatPage).toBeFocused();
  await page.keyboard.press("Space");
  await expect(dialog.getByRole("link", { name: "Open" })).toHaveAttribute("href", /\/c\/at-the-door$/);
  await dialog.getByRole("button", { name: "Copy the link" }).click();
  const { origin } = new URL(page.url());
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${origin}/c/at-the-door`);

  const website = dialog.getByRole("switch", { name: "Website" });
  await website.click();
  await expect(website).not.toBeChecked();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Save and switch on" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Enter the address of your website.");
  await dialog.getByLabel("Sites that may show it").fill("https://www.example.com");
  await dialog.getByRole("button", { name: "Save and switch on" }).click();
  await expect(website).toBeChecked();
  await expect(website).toHaveAccessibleDescription("On www.example.com");
  await dialog.getByRole("button", { name: "Website", exact: true }).click();
  await expect(dialog.getByLabel("Code for your website")).toContainText(
    `<script src="${origin}/widget.js" defer></script>`,
  );
  await website.click();
  await expect(website).not.toBeChecked();
  await expect(website).toHaveAccessibleDescription("Listed: www.example.com");
  // The site is still known.
  await website.click();
  await expect(website).toBeChecked();

  const more = dialog.getByRole("button", { name: /^More/ });
  await expect(more).toHaveText("More Webhook, Schedule, MCP, A2A", { useInnerText: true });
  await more.focus();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("list", { name: "More" })).toContainText("Needs a webhook trigger.");
  await expect(dialog.getByRole("switch", { name: "Webhook" })).toHaveCount(0);
  await dialog.getByRole("switch", { name: "MCP" }).click();
  await expect(dialog.getByRole("switch", { name: "MCP" })).toBeChecked();
  const agents = dialog.getByRole("switch", { name: "A2A (preview)" });
  await agents.click();
  await expect(agents).not.toBeChecked();
  await expect(agents).toHaveAccessibleDescription("Every agent is refused");
  await look(page, "wide-published", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-where-it-runs");
  expect(await dialog.evaluate((element) => element.scrollWidth)).toBe(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole("button", { name: "Done" }).click();
  // What is switched on is not hidden the next time.
  await openPublish(page);
  await dialog.getByRole("tab", { name: "Where it runs" }).click();
  await expect(dialog.getByRole("switch", { name: "MCP" })).toBeChecked();
  await expect(more).toHaveAttribute("aria-expanded", "false");
});

test("what is wrong with a workflow keeps it from being published, and leads to the node, by keyboard", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await nodeCard(page, "Demo model").locator(".card-title").click();
  await page.keyboard.press("Delete");
  await saved(page);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox", { name: "Search actions, nodes and workflows" })).toBeFocused();
  await page.keyboard.type("publish");
  await page.keyboard.press("Enter");
  const dialog = publishDialog(page);
  await expect(dialog).toContainText("1 problem keeps it from being published");
  await look(page, "wide-publish-problem");
  const problem = dialog.getByRole("button", { name: /needs a model/ });
  await problem.focus();
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("region", { name: "Settings of Agent" })).toBeVisible();
});

test("a phone publishes from the menu of the workflow @rest", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Publish" }).click();
  await look(page, "narrow-publish-first");
  await publishDialog(page).getByLabel("Address").fill("from-a-phone");
  await publishDialog(page).getByRole("button", { name: "Publish", exact: true }).click();
  await expect(publishDialog(page).getByRole("status").filter({ hasText: "Version 1 is live" })).toBeVisible();
  await look(page, "narrow-published");
  await publishDialog(page).getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Publish" }).click();
  await expect(publishDialog(page)).toContainText("Nothing differs");
  const again = publishDialog(page).getByRole("button", { name: "Publish", exact: true });
  await expect(again).toBeDisabled();
  await expect(again).toHaveAccessibleDescription("Version 1 is live and the same: there is nothing to publish.");
  await again.focus();
  await page.keyboard.press("Enter");
  await expect(again).toBeFocused();
  await look(page, "narrow-publish");
  await publishDialog(page).getByLabel("Publish to").selectOption("staging");
  await expect(publishDialog(page)).toContainText("no new one is made, and publishing points to it");
  await expect(publishDialog(page).getByRole("button", { name: "Publish to staging" })).toBeEnabled();
  await publishDialog(page).getByRole("button", { name: "All versions" }).click();
  await look(page, "narrow-published-versions");
  await publishDialog(page).getByRole("tab", { name: "Limits and alerts" }).click();
  await look(page, "narrow-publish-limits");
});

test("a schedule says how its last run went, once that has ended, and leads to it @rest", async ({ page }) => {
  await enterAsGuest(page);
  await importWorkflow(page, {
    name: "Every minute",
    nodes: [
      { id: "good", type: "schedule-trigger", title: "Good", config: { cron: "* * * * *", timeZone: "Europe/Berlin" } },
      {
        id: "daily",
        type: "schedule-trigger",
        title: "Daily",
        config: { cron: "0 8 * * *", timeZone: "Europe/Berlin" },
      },
    ],
    edges: [],
  });
  await saved(page);
  await publishOpened(page);
  const dialog = await openDoor(page, "Schedule");
  const lines = dialog.getByRole("list", { name: "Schedules" }).getByRole("listitem");
  await expect(lines.filter({ hasText: "Daily" })).toContainText("No run yet");
  const last = lines.filter({ hasText: "Good" }).getByRole("link");
  // A worker starts it within the minute, and the list is read again by itself.
  await expect(last).toHaveText(/^Completed (just now|\d+ seconds ago)$/, { timeout: 120_000 });
  await look(page, "wide-last-runs");
  await last.click();
  await expect(page).toHaveURL(/\/runs\//);
  await expect(page.getByRole("slider", { name: "Position in the run" })).toBeVisible();
});

test("a schedule is chosen in words, shows its next times, and is switched off once it is live", async ({ page }) => {
  await enterAsGuest(page);
  await importWorkflow(page, {
    name: "Every morning",
    nodes: [{ id: "start", type: "schedule-trigger", title: "Morning", config: { timeZone: "Europe/Berlin" } }],
    edges: [],
  });
  await nodeCard(page, "Morning").locator(".card-title").click();
  const settings = page.getByRole("region", { name: "Settings of Morning" });
  await expect(settings.getByRole("list", { name: "Next times" }).getByRole("listitem")).toHaveCount(5);
  await settings.getByRole("combobox", { name: "How often" }).selectOption("Every weekday at 08:00");
  await expect(settings.getByLabel("When")).toHaveValue("0 8 * * 1-5");
  await expect(nodeCard(page, "Morning")).toContainText("Every weekday at 08:00");
  await look(page, "wide-schedule-form");
  await settings.getByLabel("When").fill("0 8 * *");
  await expect(settings.getByRole("alert")).toContainText("A schedule has five fields");
  await settings.getByLabel("When").fill("30 9 * * 1");
  await saved(page);
  await publishOpened(page);
  const dialog = await openDoor(page, "Schedule");
  await expect(dialog.getByRole("list", { name: "Schedules" })).toContainText("Every Monday at 09:30, Europe/Berlin");
  await expect(dialog.getByRole("list", { name: "Schedules" })).toContainText("Next:");
  await look(page, "wide-schedules");
  let switched = 0;
  page.on("request", (request) => {
    if (request.url().includes("rpc/studio_switch_trigger")) switched += 1;
  });
  const switching = await holdBack(page, /rpc\/studio_switch_trigger/, () => true);
  const control = dialog.getByRole("switch", { name: "Schedule of Morning" });
  await control.click();
  await switching.asked;
  // It shows what was chosen, and takes no second change before the answer.
  await expect(control).not.toBeChecked();
  await expect(control).toBeDisabled();
  await control.click({ force: true });
  switching.release();
  await expect(dialog.getByRole("list", { name: "Schedules" })).toContainText("Switched off");
  await expect(control).toBeEnabled();
  await expect(control).not.toBeChecked();
  expect(switched).toBe(1);
});

/** Takes messages, reads orders with a credential, and lets the next agent send. */
const twoAgents: Sketch = {
  nodes: {
    chat: { type: "chat-trigger", title: "Questions" },
    reader: { type: "ai-agent", title: "Reader" },
    readerModel: { type: "demo-model", title: "Reader model" },
    orders: {
      type: "http-request-tool",
      title: "Orders",
      config: { toolName: "orders", url: "https://orders.example/open", credential: randomUUID() },
    },
    writer: { type: "ai-agent", title: "Writer", config: { userMessage: "{{json.response}}" } },
    writerModel: { type: "demo-model", title: "Writer model" },
    mail: {
      type: "http-request-tool",
      title: "Send mail",
      config: {
        toolName: "mail",
        method: "POST",
        url: "https://mail.example/send",
        body: '{"to":"{{ai("to","who gets it","string")}}"}',
        approval: "never",
      },
    },
  },
  edges: [
    ["chat.main", "reader.main"],
    ["readerModel.model", "reader.model"],
    ["orders.tool", "reader.tools"],
    ["reader.main", "writer.main"],
    ["writerModel.model", "writer.model"],
    ["mail.tool", "writer.tools"],
  ],
};

test("S90 Publish names the three nodes by which strangers could get private data out @rest", async ({ page }) => {
  await enterWithSketch(page, "Orders desk", twoAgents);
  await publishOpened(page);
  const dialog = await openDoor(page, "Chat page");
  await dialog.getByRole("switch", { name: "Chat page" }).click();
  const warning = dialog.getByText("Visitors of the chat page could get private data out").filter({ visible: true });
  await expect(warning).toBeVisible();
  await expect(dialog).toContainText(
    "“Questions” takes what they write, “Orders” reads private data, and “Send mail” can send",
  );
  await look(page, "wide-publish-chat-strangers", { both: true });
  await dialog.getByRole("tab", { name: "Version", exact: true }).click();
  await expect(warning).toBeVisible();
  await look(page, "wide-publish-strangers", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "phone-publish-strangers");
  await page.setViewportSize({ width: 1440, height: 900 });

  await openDoor(page, "Chat page");
  const trusted = dialog.getByRole("switch", { name: "Visitors are trusted" });
  await expect(trusted).not.toBeChecked();
  await trusted.click();
  await expect(dialog).toContainText("Switch this on only if every caller may make them do that.");
  await dialog.getByRole("button", { name: "Save chat page" }).click();
  await expect(page.getByText("Chat page saved").first()).toBeVisible();
  await dialog.getByRole("tab", { name: "Version", exact: true }).click();
  await expect(warning).toBeHidden();
});

const booking: Sketch = {
  nodes: {
    chat: { type: "chat-trigger", title: "Questions" },
    agent: { type: "ai-agent", title: "Desk" },
    model: { type: "demo-model", title: "Model" },
    book: {
      type: "code-tool",
      title: "Book a table",
      config: {
        toolName: "book",
        parameters: { type: "object", properties: { email: { type: "string" }, table: { type: "string" } } },
        code: "return 'booked';",
        approval: "ask-after-untrusted",
      },
    },
  },
  edges: [
    ["chat.main", "agent.main"],
    ["model.model", "agent.model"],
    ["book.tool", "agent.tools"],
  ],
};

test("S100 Publish says what callers may fill in, and a version keeps what is chosen @rest", async ({ page }) => {
  await enterWithSketch(page, "Blue Lion", booking);
  const dialog = await openPublish(page);
  await expect(dialog).toContainText("Callers may fill in nothing");
  await dialog.getByLabel("Note").fill("With bookings");
  await dialog.getByRole("button", { name: "Choose…" }).click();
  const choice = page.getByRole("dialog", { name: "What callers may fill in" });
  await choice.getByRole("checkbox", { name: "email" }).check();
  await expect(choice).toContainText("can have book called with any email that they write, and you are not asked.");
  await look(page, "wide-callers-fill", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-callers-fill");
  await choice.getByRole("button", { name: "Save" }).click();
  await expect(choice).toBeHidden();
  await expect(dialog.getByRole("listitem").filter({ hasText: "email of book" })).toBeVisible();
  await look(page, "narrow-publish-callers");
  await page.setViewportSize({ width: 1440, height: 900 });
  await look(page, "wide-publish-callers");
  await expect(dialog.getByLabel("Note")).toHaveValue("With bookings");
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(dialog.getByRole("status").filter({ hasText: /Version \d+ is live/ })).toBeVisible();
  await page.reload();
  await openPublish(page);
  await expect(dialog).toContainText("the same: there is nothing to publish");
  await expect(dialog.getByRole("listitem").filter({ hasText: "email of book" })).toBeVisible();
});
