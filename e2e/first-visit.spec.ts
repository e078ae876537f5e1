import { ask, enterAsGuest, enterWithTemplate, expect, nodeCard, openTemplate, runEnded, test } from "./fixtures.ts";

// What somebody meets in the first hour: where the keyboard is, what covers what, and what the words say.

test("the keyboard stays on a switch and a button while they save", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(dialog.getByRole("status").filter({ hasText: "Version 1 is live" })).toBeVisible();
  await expect(dialog.getByText("Programs run it with an API key")).toBeVisible();
  const chatPage = dialog.getByRole("switch", { name: "Chat page" });
  await chatPage.focus();
  await page.keyboard.press("Space");
  await expect(chatPage).toBeChecked();
  await expect(dialog.getByRole("link", { name: "Open" })).toBeVisible();
  await expect(chatPage).toBeFocused();
  await dialog.getByRole("tab", { name: "Limits and alerts" }).click();
  await dialog.getByRole("textbox", { name: "Starts per minute" }).fill("10");
  const save = dialog.getByRole("button", { name: "Save limits" });
  await save.focus();
  await page.keyboard.press("Enter");
  const told = page.getByRole("region", { name: "Notifications" });
  await expect(told).toContainText("Limits saved");
  await expect(save).toBeFocused();
  await page.keyboard.press("Escape");
  // It stands beside the field, or the field makes room below it.
  const covers = async () => {
    const notice = await told.getByRole("status").first().boundingBox();
    const field = await page.getByRole("textbox", { name: "Message", exact: true }).boundingBox();
    if (!notice || !field) return undefined;
    return notice.y + notice.height > field.y && notice.x + notice.width > field.x;
  };
  await expect.poll(covers).toBe(false);
});

test("dialogs begin at their first field, and an import that fails at the way to another file", async ({ page }) => {
  await enterAsGuest(page);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import a workflow" });
  await dialog.locator("input[type=file]").setInputFiles({
    name: "broken.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"nodes": ['),
  });
  await expect(dialog.getByText("This cannot be imported")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Choose another" })).toBeFocused();
  await page.keyboard.press("Escape");
  await openTemplate(page, "Ask with tools");
  await page.goto("/tests");
  await page.getByRole("button", { name: "New suite" }).first().click();
  const suite = page.getByRole("dialog", { name: "New suite" });
  await suite.getByRole("textbox", { name: "Name" }).fill("Answers");
  await suite.getByRole("combobox", { name: "Workflow" }).selectOption({ label: "Ask with tools" });
  await suite.getByRole("button", { name: "Create" }).click();
  await page.getByRole("tab", { name: "Cases" }).click();
  await page.getByRole("button", { name: "Add case" }).click();
  await expect(page.getByRole("dialog", { name: "Add case" }).getByRole("textbox", { name: "Name" })).toBeFocused();
});

test("an approval is an answer: it opens no settings, and gives the keyboard back", async ({ page }) => {
  await enterWithTemplate(page, "Approval flow");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const chat = page.getByRole("region", { name: "Chat" });
  await expect(chat.getByRole("button", { name: "New", exact: true })).toBeVisible();
  await ask(page, "Please issue_refund for order 1001");
  await nodeCard(page, "Refund").getByRole("button", { name: "Approve" }).click();
  await runEnded(page);
  await expect(page.getByRole("log")).toContainText("1001");
  await expect(page.getByRole("region", { name: "Settings of Refund" })).toHaveCount(0);
  const message = page.getByRole("textbox", { name: "Message", exact: true });
  await ask(page, "Please issue_refund for order 1002");
  await page.getByRole("group", { name: "Approve issue_refund" }).getByRole("button", { name: "Approve" }).click();
  await runEnded(page);
  await expect(message).toBeFocused();
});

test("the trash counts from 30 days, and a page that is gone says so in its title", async ({ page }) => {
  await enterAsGuest(page);
  for (const _ of [1, 2]) {
    await openTemplate(page, "Blank");
    await page.getByRole("link", { name: "Workflows" }).first().click();
  }
  await page.getByRole("button", { name: "Actions for Untitled workflow", exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("region", { name: "Your workflows" })).toBeFocused();
  await page.getByRole("button", { name: "Trash" }).click();
  await expect(page.getByText("30 days left")).toBeVisible();
  await page.goto("/w/00000000-0000-4000-8000-000000000000");
  await expect(page).toHaveTitle("This workflow does not exist · Switchyard");
});
