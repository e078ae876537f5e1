import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { enterAsGuest, enterWithTemplate, expect, importWorkflow, nodeCard, saved, test } from "./fixtures.ts";
import { holdBack } from "./hold-back.ts";
import { look } from "./look.ts";
import { enterWithSketch, type Sketch } from "./vendor-agent.ts";

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Publish" });

async function openPublish(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(dialogOf(page)).toBeVisible();
}

/** Publishes the open workflow from its dialog. */
async function publish(page: Page, note: string): Promise<void> {
  const dialog = dialogOf(page);
  await dialog.getByLabel("Note").fill(note);
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(dialog).toBeHidden();
}

test("a workflow is published, changed, published again, rolled back and unpublished", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const dialog = dialogOf(page);
  await openPublish(page);
  // Another test of the same studio may have taken the first.
  await expect(dialog.getByLabel("Address")).toHaveValue(/^ask-with-tools(-\d+)?$/);
  await dialog.getByLabel("Address").fill("Ask me");
  await expect(dialog.getByRole("alert")).toHaveText("Use lowercase letters a–z, digits and hyphens.");
  await dialog.getByLabel("Address").fill("ask-me");
  await look(page, "wide-publish-first");
  await publish(page, "The first one");
  // The message stays when another page is opened, and leads back.
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await page
    .getByRole("status")
    .filter({ hasText: "Version 1 is live" })
    .getByRole("button", { name: "Show", exact: true })
    .click();
  await expect(dialog.getByRole("tab", { name: "API" })).toHaveAttribute("aria-selected", "true");
  await expect(dialog.getByRole("switch", { name: "Let programs run it" })).toBeChecked();
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
  await publish(page, "Without the calculator");
  await expect(page.getByRole("status").filter({ hasText: "live: v2" })).toHaveText("live: v2");

  await openPublish(page);
  await dialog.getByRole("tab", { name: "Versions" }).click();
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

  await dialog.getByRole("tab", { name: "Limits" }).click();
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
  await dialog.getByRole("tab", { name: "Limits" }).click();
  await expect(dialog.getByLabel("US$ per day")).toHaveValue("2.5");
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
  const dialog = dialogOf(page);
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
  await dialogOf(page).getByLabel("Address").fill("from-a-phone");
  await dialogOf(page).getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByText("Version 1 is live")).toBeVisible();
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Publish" }).click();
  await expect(dialogOf(page)).toContainText("Nothing differs");
  const again = dialogOf(page).getByRole("button", { name: "Publish", exact: true });
  await expect(again).toBeDisabled();
  await expect(again).toHaveAccessibleDescription("Version 1 is live and the same: there is nothing to publish.");
  await again.focus();
  await page.keyboard.press("Enter");
  await expect(again).toBeFocused();
  await look(page, "narrow-publish");
  await dialogOf(page).getByLabel("Publish to").selectOption("staging");
  await expect(dialogOf(page)).toContainText("no new one is made, and publishing points to it");
  await expect(dialogOf(page).getByRole("button", { name: "Publish to staging" })).toBeEnabled();
  await dialogOf(page).getByRole("tab", { name: "Versions" }).click();
  await look(page, "narrow-published-versions");
  await dialogOf(page).getByRole("tab", { name: "Limits" }).click();
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
  await openPublish(page);
  await publish(page, "");
  await openPublish(page);
  const dialog = dialogOf(page);
  await dialog.getByRole("tab", { name: "Schedules" }).click();
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
  await openPublish(page);
  await publish(page, "");
  await openPublish(page);
  const dialog = dialogOf(page);
  await dialog.getByRole("tab", { name: "Schedules" }).click();
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
  await openPublish(page);
  await publish(page, "");
  await openPublish(page);
  const dialog = dialogOf(page);
  await dialog.getByRole("tab", { name: "Chat page" }).click();
  await dialog.getByRole("switch", { name: "Chat page" }).click();
  const warning = dialog.getByText("Visitors of the chat page could get private data out");
  await expect(warning).toBeVisible();
  await expect(dialog).toContainText(
    "“Questions” takes what they write, “Orders” reads private data, and “Send mail” can send",
  );
  await look(page, "wide-publish-chat-strangers", { both: true });
  await dialog.getByRole("tab", { name: "New version" }).click();
  await expect(warning).toBeVisible();
  await look(page, "wide-publish-strangers", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "phone-publish-strangers");
  await page.setViewportSize({ width: 1440, height: 900 });

  await dialog.getByRole("tab", { name: "Chat page" }).click();
  const trusted = dialog.getByRole("switch", { name: "Visitors are trusted" });
  await expect(trusted).not.toBeChecked();
  await trusted.click();
  await expect(dialog).toContainText("Switch this on only if every caller may make them do that.");
  await dialog.getByRole("button", { name: "Save chat page" }).click();
  await expect(page.getByText("Chat page saved").first()).toBeVisible();
  await dialog.getByRole("tab", { name: "New version" }).click();
  await expect(warning).toBeHidden();
});
