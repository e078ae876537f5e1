import type { Page } from "@playwright/test";
import { ask, enterAsGuest, expect, openTemplate, runEnded, test } from "./fixtures.ts";
import { holdBack } from "./hold-back.ts";

/** Asks in two conversations of their own, of which the second stays open. */
async function haveTwoConversations(page: Page): Promise<void> {
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
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
  await expect(page.getByRole("log", { name: "Conversation" })).toContainText("answered: 5");
  deleting.release();
  await expect(page.getByText("The conversation was deleted.")).toBeVisible();
  await expect(header.getByRole("button", { name: "What is 2 + 3?", exact: true })).toBeVisible();
  await expect(page.getByRole("log", { name: "Conversation" })).toContainText("answered: 5");
});
