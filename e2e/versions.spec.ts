import type { Page } from "@playwright/test";
import { enterWithTemplate, expect, nodeCard, saved, secondTab, test } from "./fixtures.ts";
import { holdBack } from "./hold-back.ts";

async function workflowAction(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name }).click();
}

async function rename(page: Page, name: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Workflow name" });
  await field.fill(name);
  await field.press("Enter");
}

async function removeNode(page: Page, title: string): Promise<void> {
  await nodeCard(page, title).locator(".card-title").click();
  await page.keyboard.press("Delete");
  await expect(nodeCard(page, title)).toHaveCount(0);
}

test("a version is kept by name, compared with now, restored, and the restore undone", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await workflowAction(page, "Version history");
  const dialog = page.getByRole("dialog", { name: "Version history" });
  await expect(dialog).toContainText("No version yet");
  const name = dialog.getByRole("textbox", { name: "Name for the current state" });
  await expect(name).toBeFocused();
  await name.fill("It works");
  await dialog.getByRole("button", { name: "Keep" }).click();
  await expect(dialog.getByRole("list", { name: "Versions" })).toContainText("It works");
  await expect(dialog).toContainText("Nothing differs");
  await dialog.getByRole("button", { name: "Close" }).click();

  await removeNode(page, "Calculator");
  await rename(page, "Changed");
  await saved(page);
  await workflowAction(page, "Version history");
  await dialog.getByRole("button", { name: /^It works/ }).click();
  await expect(dialog.getByRole("img", { name: /1 node removed/ })).toBeVisible();
  await expect(dialog).toContainText("Calculator");
  await expect(dialog).toContainText("Ask with tools");
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(dialog).toBeHidden();
  await expect(nodeCard(page, "Calculator")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Workflow name" })).toHaveValue("Ask with tools");
  await page.getByRole("button", { name: /^Undo: Restore It works/ }).click();
  await expect(nodeCard(page, "Calculator")).toHaveCount(0);
  await saved(page);

  await workflowAction(page, "Version history");
  await expect(dialog.getByRole("list", { name: "Versions" })).toContainText("Before a restore");
  await dialog.getByRole("button", { name: /^It works/ }).click();
  await dialog.getByRole("button", { name: "Actions for It works" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await dialog.getByRole("textbox", { name: /Name of the version/ }).fill("First");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("list", { name: "Versions" })).toContainText("First");
  await dialog.getByRole("button", { name: "Actions for First" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(dialog.getByRole("list", { name: "Versions" })).not.toContainText("First");
});

test("who leaves the version history before a version is there keeps the workflow as it is @rest", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await workflowAction(page, "Version history");
  const dialog = page.getByRole("dialog", { name: "Version history" });
  await dialog.getByRole("textbox", { name: "Name for the current state" }).fill("It works");
  await dialog.getByRole("button", { name: "Keep" }).click();
  await expect(dialog).toContainText("Nothing differs");
  await dialog.getByRole("button", { name: "Close" }).click();
  await removeNode(page, "Calculator");
  await saved(page);

  await workflowAction(page, "Version history");
  await expect(dialog.getByRole("img", { name: /1 node removed/ })).toBeVisible();
  const reading = await holdBack(page, /studio_workflow_versions\?select=document/, () => true);
  await dialog.getByRole("button", { name: "Restore" }).click();
  await reading.asked;
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  reading.release();
  await expect(page.getByText("It works was not restored")).toBeAttached();
  await expect(nodeCard(page, "Calculator")).toHaveCount(0);
});

test("S59 two tabs: the conflict shows what differs, and what mine overwrites stays in the history", async ({
  page,
  context,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const other = await secondTab(page, context);
  await rename(page, "Theirs");
  await removeNode(page, "Calculator");
  await saved(page);
  await rename(other, "Mine");
  const conflict = other.getByRole("dialog", { name: "This workflow was changed elsewhere" });
  await expect(conflict.getByRole("img", { name: /1 node added/ })).toBeVisible();
  await expect(conflict).toContainText("Mine");
  await conflict.getByRole("button", { name: "Close" }).click();
  await other.getByRole("button", { name: "Changed elsewhere" }).click();
  await other.getByRole("button", { name: "Compare and decide" }).click();
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await expect(conflict).toBeHidden();
  await saved(other);
  await workflowAction(other, "Version history");
  await expect(other.getByRole("dialog")).toContainText("Overwritten after a conflict");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Workflow name" })).toHaveValue("Mine");
  await expect(nodeCard(page, "Calculator")).toBeVisible();
});

test("edits made offline are shown as such, survive, and are sent when the connection is back @rest", async ({
  page,
  context,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await context.setOffline(true);
  await rename(page, "Made offline");
  await expect(page.getByText("Offline, kept in this browser")).toBeVisible();
  await removeNode(page, "Calculator");
  await context.setOffline(false);
  await saved(page);
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Workflow name" })).toHaveValue("Made offline");
  await expect(nodeCard(page, "Calculator")).toHaveCount(0);
});

test("variables are set in the settings, read by a template, and undone in one step", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await workflowAction(page, "Settings and variables");
  const dialog = page.getByRole("dialog", { name: "Workflow settings" });
  await dialog.getByRole("textbox", { name: "Description" }).fill("Answers questions");
  await dialog.getByRole("button", { name: "Add a variable" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter a name");
  await dialog.getByRole("textbox", { name: "Name of the variable" }).fill("limit");
  await dialog.getByRole("textbox", { name: "Value of limit" }).fill("[1, 2]");
  await expect(dialog).toContainText("list");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await saved(page);
  await page.reload();
  await workflowAction(page, "Settings and variables");
  await expect(dialog.getByRole("textbox", { name: "Value of limit" })).toHaveValue("[1,2]");
  await expect(dialog.getByRole("textbox", { name: "Description" })).toHaveValue("Answers questions");
});

test("keys in a dialog that covers the editor leave what is selected behind it alone @rest", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await nodeCard(page, "Calculator").locator(".card-title").click();
  await workflowAction(page, "Version history");
  const dialog = page.getByRole("dialog", { name: "Version history" });
  await dialog.getByRole("button", { name: "Close" }).focus();
  await page.keyboard.press("Delete");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(nodeCard(page, "Calculator")).toBeVisible();
  await expect(page.getByRole("region", { name: "Settings of Calculator" })).toBeVisible();
});
