import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { ask, enterWithTemplate, expect, runEnded, runsStored, saved, showRun, test, widePanel } from "./fixtures.ts";
import { look } from "./look.ts";

const tab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

test("what an agent remembers can be read, changed, exported, cleared and brought back", async ({ page }) => {
  await widePanel(page);
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "My name is Ada.");
  await expect(page.getByRole("log")).toContainText("Ada");
  await saved(page);

  await tab(page, "Memory");
  const panel = page.getByRole("tabpanel", { name: "Memory" });
  const remembered = panel.getByRole("list", { name: "Conversations: Database" }).getByRole("button");
  await expect(remembered.first()).toContainText("My name is Ada.");
  await remembered.first().click();
  const messages = panel.getByRole("list", { name: "Messages" });
  await expect(messages.getByRole("listitem")).toHaveCount(2);

  const first = messages.getByRole("listitem").first();
  await expect(first.getByRole("time")).toBeVisible();
  await first.getByRole("button", { name: "Edit this message" }).click();
  await first.getByRole("textbox").fill("My name is Grace.");
  await first.getByRole("button", { name: "Save" }).click();
  await expect(first).toContainText("My name is Grace.");
  await messages.getByRole("listitem").last().getByRole("button", { name: "Delete this message" }).click();
  await messages.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(messages.getByRole("listitem")).toHaveCount(1);

  await tab(page, "Chat");
  // As the memory has it now, and once.
  await expect(page.getByRole("log").getByText("My name is Grace.", { exact: true })).toHaveCount(1);
  await expect(page.getByRole("log").getByText("My name is Ada.", { exact: true })).toHaveCount(0);
  await ask(page, "What is my name?");
  await expect(page.getByRole("log")).toContainText("Grace");
  await saved(page);

  await showRun(page, "Steps");
  const steps = page.getByRole("tabpanel", { name: "Steps" });
  await steps
    .getByRole("option", { name: /Model call/ })
    .first()
    .click();
  await expect(steps).toContainText("What the model saw");
  await expect(steps.getByText("from memory", { exact: true })).toHaveCount(1);
  await expect(steps.getByText("this turn", { exact: true })).toHaveCount(1);
  await look(page, "memory-what-the-model-saw");

  await tab(page, "Memory");
  await expect(messages.getByRole("listitem")).toHaveCount(3);
  await panel.getByRole("button", { name: "Add a note" }).click();
  await panel.getByRole("textbox", { name: "Key of the new note" }).fill("name");
  await panel.getByRole("textbox", { name: "Note name" }).fill("Grace");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("button", { name: "Edit the note name" })).toBeVisible();
  await look(page, "memory-session");

  const downloading = page.waitForEvent("download");
  await panel.getByRole("button", { name: "Export" }).click();
  const exported = await (await downloading).path();
  const file = JSON.parse(await readFile(exported, "utf8")) as {
    messages: unknown[];
    times: unknown[];
    scratchpad: unknown;
  };
  expect(file.messages).toHaveLength(3);
  expect(file.times).toEqual(Array(3).fill(expect.stringMatching(/^20\d\d-/)));
  expect(file.scratchpad).toEqual({ name: "Grace" });

  await panel.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(panel).toContainText("Nothing is remembered here yet.");
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).click();
  const sessions = panel.getByRole("list", { name: "Conversations: Database" }).getByRole("button");
  await expect(sessions).toHaveCount(1);
  await expect(sessions).toContainText("3 messages");

  await panel.getByLabel("Conversation file for Database").setInputFiles(exported);
  const dialog = page.getByRole("dialog", { name: "Import a conversation" });
  await expect(dialog).toContainText("3 messages and 1 note");
  await dialog.getByLabel("Session").fill("copy");
  await look(page, "memory-import");
  await dialog.getByRole("button", { name: "Import" }).click();
  await expect(sessions).toHaveCount(2);
  await expect(messages.getByRole("listitem")).toHaveCount(3);
  await expect(panel.getByText("copy", { exact: true }).first()).toBeVisible();

  await panel.getByLabel("Conversation file for Database").setInputFiles(exported);
  await dialog.getByLabel("Session").fill("copy");
  await expect(dialog).toContainText("what it lacks of the file");
  await dialog.getByRole("button", { name: "Import" }).click();
  await expect(dialog).toBeHidden();
  await expect(sessions).toHaveCount(2);
  await expect(messages.getByRole("listitem")).toHaveCount(3);
});

test("the memory panel fits a phone @rest", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterWithTemplate(page, "Ask with tools");
  await tab(page, "Memory");
  const panel = page.getByRole("tabpanel", { name: "Memory" });
  await expect(panel).toContainText("Nothing is remembered here yet.");
  await look(page, "memory-phone-empty");
  await tab(page, "Chat");
  await ask(page, "My name is Ada.");
  await expect(page.getByRole("log")).toContainText("Ada");
  await saved(page);
  await tab(page, "Memory");
  await look(page, "memory-phone-list");
  await panel.getByRole("list", { name: "Conversations: Database" }).getByRole("button").first().click();
  await expect(panel.getByRole("list", { name: "Messages" })).toBeVisible();
  await look(page, "memory-phone-session");
});

test("conversations are encrypted from the moment that a workflow asks for it, and look the same @rest", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "My name is Ada.");
  await saved(page);

  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Privacy" }).click();
  const privacy = page.getByRole("dialog", { name: "Privacy" });
  await privacy.getByRole("switch", { name: "Encrypt conversations" }).click();
  await privacy.getByRole("switch", { name: "Encrypt conversations" }).scrollIntoViewIfNeeded();
  await look(page, "encrypted-switch-wide");
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "encrypted-switch-phone");
  await page.setViewportSize({ width: 1440, height: 900 });
  await privacy.getByRole("button", { name: "Save" }).click();

  const written = page.waitForRequest(
    (request) => request.method() === "POST" && request.url().includes("/rest/v1/rpc/studio_remember_turn"),
  );
  await ask(page, "What is my name, crocus?");
  await saved(page);
  const body = (await written).postData() ?? "";
  expect(body).toContain("sealed");
  expect(body).not.toContain("crocus");
  await runEnded(page);
  await runsStored(page);

  await page.reload();
  await expect(page.getByRole("log")).toContainText("What is my name, crocus?");
  await tab(page, "Memory");
  const panel = page.getByRole("tabpanel", { name: "Memory" });
  await panel.getByRole("list", { name: "Conversations: Database" }).getByRole("button").first().click();
  const messages = panel.getByRole("list", { name: "Messages" }).getByRole("listitem");
  await expect(messages).toHaveCount(4);
  await expect(messages.filter({ hasText: "encrypted" })).toHaveCount(2);
  await look(page, "encrypted-session-wide");
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "encrypted-session-phone");
});
