import type { Page } from "@playwright/test";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { enterAsGuest, enterWithTemplate, expect, makeCredential, pasteText, saved, test } from "./fixtures.ts";
import { adds, holdBack } from "./hold-back.ts";
import { look } from "./look.ts";

async function makeToken(page: Page, name: string): Promise<void> {
  await makeCredential(page, /bearer/i, [
    [/^Name/, name],
    [/Token/, "test-key-of-closed-dialogs"],
    [/Allowed hosts/, "example.com"],
  ]);
}

test("the question whether to delete a credential stays when the one before it is gone", async ({ page }) => {
  await enterAsGuest(page);
  await page.goto("/credentials");
  const heading = (name: string) => page.getByRole("heading", { name, exact: true });
  for (const name of ["First", "Second"]) {
    await makeToken(page, name);
    await expect(heading(name)).toBeVisible();
  }
  const askToDelete = async (name: string) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
  };
  const deleting = await holdBack(page, /studio_credentials/, (request) => request.method() === "DELETE");
  await askToDelete("First");
  await page.getByRole("button", { name: "Delete credential" }).click();
  await deleting.asked;
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await askToDelete("Second");
  const second = page.getByRole("dialog", { name: "Delete Second?" });
  await expect(second.getByRole("button", { name: "Delete credential" })).toBeEnabled();
  deleting.release();
  await expect(page.getByText('Deleted the credential "First"')).toBeAttached();
  await expect(second).toBeVisible();
  await second.getByRole("button", { name: "Delete credential" }).click();
  await expect(page.getByRole("heading", { name: "No credentials yet" })).toBeVisible();
});

test("who has cancelled an import stays in the open workflow, and is told where it is", async ({ page }) => {
  await enterWithTemplate(page, "Extract JSON");
  await saved(page);
  const address = page.url();
  await pasteText(page, JSON.stringify(buildWorkflow({ name: "One more", nodes: { more: ["set-fields"] } })));
  const dialog = page.getByRole("dialog", { name: "Import a workflow" });
  const importing = await holdBack(page, /rest\/v1\/studio_workflows/, adds);
  await dialog.getByRole("button", { name: "Import as a new one" }).click();
  await importing.asked;
  await dialog.getByRole("button", { name: "Cancel" }).click();
  importing.release();
  await expect(page.getByText("“One more” is imported as a workflow of its own")).toBeVisible();
  expect(page.url()).toBe(address);
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Open it" }).click();
  await expect(page.getByRole("textbox", { name: "Workflow name" })).toHaveValue("One more");
});

test("a key for programs is shown once it is made, also where its form was closed before", async ({ page }) => {
  await enterAsGuest(page);
  await page.goto("/settings/api-keys");
  const making = await holdBack(page, /rpc\/studio_make_api_key/, () => true);
  await page.getByRole("button", { name: "New API key" }).click();
  const form = page.getByRole("dialog", { name: "New API key", exact: true });
  await form.getByRole("textbox", { name: "Name" }).fill("Shop");
  await form.getByRole("button", { name: "Create key" }).click();
  await making.asked;
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(form).toBeHidden();
  making.release();
  const made = page.getByRole("dialog", { name: "Your new API key" });
  await expect(made.getByLabel("API key", { exact: true })).toContainText("sy_");
  await made.getByRole("button", { name: "Done" }).click();
  await expect(made).toBeHidden();
  await expect(page.getByRole("button", { name: "Revoke Shop" })).toBeVisible();
});

test("the keyboard goes on where a key was asked for, once the key and the form before it are closed", async ({
  page,
}) => {
  await enterAsGuest(page);
  await page.goto("/settings/api-keys");
  const open = page.getByRole("button", { name: "New API key" });
  await open.click();
  const form = page.getByRole("dialog", { name: "New API key", exact: true });
  await form.getByRole("textbox", { name: "Name" }).fill("Shop");
  await form.getByRole("button", { name: "Create key" }).press("Enter");
  const made = page.getByRole("dialog", { name: "Your new API key" });
  await expect(form).toBeHidden();
  await made.getByRole("button", { name: "Done" }).press("Enter");
  await expect(open).toBeFocused();
});

test("who has left a collection that is being deleted is not called back", async ({ page }) => {
  await enterAsGuest(page);
  await page.goto("/knowledge");
  await page.getByRole("button", { name: "New collection" }).click();
  const dialog = page.getByRole("dialog", { name: "New collection" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Handbook");
  await dialog.getByRole("button", { name: "Create collection" }).click();
  await page.getByRole("button", { name: "Actions for Handbook" }).click();
  const deleting = await holdBack(
    page,
    /rest\/v1\/(rpc\/)?studio_[a-z_]*knowledge/,
    (request) => request.method() !== "GET",
  );
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await deleting.asked;
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  deleting.release();
  await expect(page.getByText('Deleted "Handbook"')).toBeVisible();
  await expect(page).toHaveURL(/\/runs$/);
});

test("what was changed in a dialog is not lost by Escape, a press outside or Close", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  const note = dialog.getByLabel("Note");
  await note.fill("What changes for the team");
  const question = dialog.getByText("Discard your changes?");
  await page.keyboard.press("Escape");
  await expect(question).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Keep editing" })).toBeFocused();
  await look(page, "dialog-discard", { both: true });
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(note).toBeFocused();
  // Browsers hold nobody back twice.
  for (let times = 0; times < 3; times += 1) await page.keyboard.press("Escape");
  await expect(note).toHaveValue("What changes for the team");
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await note.fill("");
  const target = dialog.getByLabel("Publish to");
  await target.focus();
  await target.selectOption("staging");
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await target.selectOption("live");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  await page.goto("/");
  await page.getByRole("button", { name: "New workflow" }).click();
  const gallery = page.getByRole("dialog", { name: "New workflow" });
  await gallery.getByLabel("Describe your agent").fill("An agent that reads my mail");
  await page.mouse.click(5, 5);
  await gallery.getByRole("button", { name: "Discard" }).click();
  await expect(gallery).toHaveCount(0);
});
