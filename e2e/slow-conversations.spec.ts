import type { Page } from "@playwright/test";
import { ask, enterWithTemplate, expect, runEnded, runsStored, test } from "./fixtures.ts";
import { holdBack } from "./hold-back.ts";

/** Asks in two conversations of their own, of which the second stays open. */
async function haveTwoConversations(page: Page): Promise<void> {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 2 + 3?");
  await runEnded(page);
  await page.getByRole("button", { name: "New conversation" }).click();
  await ask(page, "What is 4 * 4?");
  await runEnded(page);
}

test("who opens another conversation while the open one is being deleted stays in it", async ({ page }) => {
  await haveTwoConversations(page);
  const header = page.getByRole("region", { name: "Chat" });
  await header.getByRole("button", { name: "What is 4 * 4?", exact: true }).click();
  const list = page.getByRole("dialog", { name: "Conversations" });
  const deleting = await holdBack(page, /rpc\/studio_prune_memory/, () => true);
  const remove = list.getByRole("button", { name: "Delete What is 4 * 4?" });
  await remove.click();
  await deleting.asked;
  await expect(remove).toBeDisabled();
  await list.getByRole("button", { name: /^What is 2 \+ 3\?/ }).click();
  await expect(page.getByRole("log", { name: "Conversation" })).toContainText("is 5.");
  deleting.release();
  await expect(page.getByText("The conversation was deleted.")).toBeVisible();
  await expect(header.getByRole("button", { name: "What is 2 + 3?", exact: true })).toBeVisible();
  await expect(page.getByRole("log", { name: "Conversation" })).toContainText("is 5.");
});

test("a conversation that is read in the memory stays open when the one before it is cleared", async ({ page }) => {
  await haveTwoConversations(page);
  await page.getByRole("tab", { name: "Memory" }).click();
  const panel = page.getByRole("tabpanel", { name: "Memory" });
  const list = panel.getByRole("list", { name: "Conversations: Database" });
  await list.getByRole("button", { name: /^What is 4/ }).click();
  const clearing = await holdBack(page, /rpc\/studio_prune_memory/, () => true);
  await panel.getByRole("button", { name: "Clear" }).click();
  await clearing.asked;
  await list.getByRole("button", { name: /^What is 2/ }).click();
  const title = panel.getByRole("heading", { name: "What is 2 + 3?" });
  await expect(title).toBeVisible();
  clearing.release();
  await expect(page.getByText("was cleared.")).toBeVisible();
  await expect(list.getByRole("button")).toHaveCount(1);
  await expect(title).toBeVisible();
});

test("a note that is being written stays open when another one is saved, and Ctrl+Enter saves that once and does nothing else", async ({
  page,
}) => {
  await haveTwoConversations(page);
  await page.getByRole("tab", { name: "Memory" }).click();
  const panel = page.getByRole("tabpanel", { name: "Memory" });
  await panel.getByRole("list", { name: "Conversations: Database" }).getByRole("button").first().click();
  const addNote = async (key: string) => {
    await panel.getByRole("button", { name: "Add a note" }).click();
    await panel.getByRole("textbox", { name: "Key of the new note" }).fill(key);
    await panel.getByRole("textbox", { name: `Note ${key}` }).fill("Ada");
  };
  await addNote("first");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("button", { name: "Edit the note first" })).toBeVisible();
  await addNote("second");
  let sent = 0;
  page.on("request", (request) => {
    if (/rest\/v1\/studio_agent_memory/.test(request.url()) && request.method() !== "GET") sent += 1;
  });
  const saving = await holdBack(page, /rest\/v1\/studio_agent_memory/, (request) => request.method() !== "GET");
  const second = panel.getByRole("textbox", { name: "Note second" });
  await second.press("Control+Enter");
  await saving.asked;
  await second.press("Control+Enter");
  await panel.getByRole("button", { name: "Edit the note first" }).click();
  const first = panel.getByRole("textbox", { name: "Note first" });
  await first.fill("Grace");
  expect(sent).toBe(1);
  saving.release();
  await expect(panel.getByRole("button", { name: "Edit the note second" })).toBeVisible();
  await expect(first).toHaveValue("Grace");
});

test("a question is asked again however slowly its answer is forgotten, and nothing else is run meanwhile", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 2 + 3?");
  await runEnded(page);
  await runsStored(page);
  const log = page.getByRole("log", { name: "Conversation" });
  const forgetting = await holdBack(
    page,
    /rest\/v1\/(rpc\/)?studio_agent_memory/,
    (request) => request.method() === "DELETE",
  );
  await log.getByRole("button", { name: "Edit and ask again" }).click();
  await log.getByRole("textbox", { name: "Edit the message" }).fill("What is 4 + 5?");
  await log.locator("form").getByRole("button", { name: "Ask again" }).click();
  await forgetting.asked;
  await expect(page.getByRole("button", { name: "Test", exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Stop", exact: true }).first()).toBeVisible();
  forgetting.release();
  await expect(log).toContainText("is 9.");
  await expect(log).not.toContainText("2 + 3");
});

test("words in which a question is asked again are kept where its answer could not be forgotten", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 2 + 3?");
  await runEnded(page);
  await runsStored(page);
  const log = page.getByRole("log", { name: "Conversation" });
  await page.route(/rest\/v1\/studio_agent_memory/, (route) =>
    route.request().method() === "DELETE" ? route.abort() : route.fallback(),
  );
  await log.getByRole("button", { name: "Edit and ask again" }).click();
  await log.getByRole("textbox", { name: "Edit the message" }).fill("What is 4 + 5?");
  await log.locator("form").getByRole("button", { name: "Ask again" }).click();
  await expect(log.getByRole("textbox", { name: "Edit the message" })).toHaveValue("What is 4 + 5?");
  await expect(log).toContainText("is 5.");
  await page.unrouteAll();
  await log.locator("form").getByRole("button", { name: "Ask again" }).click();
  await expect(log).toContainText("is 9.");
});
