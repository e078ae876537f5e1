import type { Locator } from "@playwright/test";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { canvasReady, enterAsGuest, expect, saved, test } from "./fixtures.ts";

/** Two clicks with nothing between them, sooner than the page can draw the first one's effect. */
const twice = (button: Locator) => button.dblclick();

test("what is clicked twice in a hurry happens once", async ({ page }) => {
  await enterAsGuest(page);
  await page.getByRole("button", { name: "New workflow", exact: true }).click();
  const gallery = page.getByRole("dialog", { name: "New workflow" });
  await gallery.getByRole("button", { name: /^Ask with tools/ }).click();
  await twice(gallery.getByRole("button", { name: "Use this template" }));
  await expect(page).toHaveURL(/\/w\//);
  await canvasReady(page);

  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Version history" }).click();
  const versions = page.getByRole("dialog", { name: "Version history" });
  await versions.getByRole("textbox", { name: "Name for the present state" }).fill("Kept");
  await twice(versions.getByRole("button", { name: "Keep", exact: true }));
  await expect(versions.getByRole("list", { name: "Versions" }).getByRole("button", { name: /^Kept/ })).toHaveCount(1);
  await versions.getByRole("button", { name: "Close" }).click();
  await saved(page);

  await page.goto("/");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const report = page.getByRole("dialog", { name: "Import a workflow" });
  const buffer = Buffer.from(
    JSON.stringify(buildWorkflow({ name: "Twice", nodes: { start: ["manual-trigger", {}, "Start"] } })),
  );
  const file = { name: "workflow.json", mimeType: "application/json", buffer };
  await report.locator("input[type=file]").setInputFiles(file);
  await expect(report.getByRole("button", { name: "Import", exact: true })).toBeEnabled();
  await twice(report.getByRole("button", { name: "Import", exact: true }));
  await expect(page).toHaveURL(/\/w\//);
  await canvasReady(page);

  await page.goto("/credentials");
  await page.getByRole("button", { name: "New credential", exact: true }).click();
  const form = page.getByRole("dialog", { name: "New credential" });
  await form.getByLabel(/API key/).fill("test-key-0123456789");
  await twice(form.getByRole("button", { name: "Save credential" }));
  await expect(form).toBeHidden();

  await page.goto("/knowledge");
  await page.getByRole("button", { name: "New collection" }).first().click();
  const collection = page.getByRole("dialog", { name: "New collection" });
  await collection.getByRole("textbox", { name: "Name" }).fill("Once");
  await twice(collection.getByRole("button", { name: "Make collection" }));
  await expect(page.getByRole("heading", { name: "Once", exact: true, level: 1 })).toBeVisible();

  // Read from the server again.
  await page.goto("/");
  const workflows = page.getByRole("region", { name: "Your workflows" });
  await expect(workflows.getByRole("listitem")).toHaveCount(2);
  await page.goto("/credentials");
  await expect(page.getByRole("button", { name: /^Actions for/ })).toHaveCount(1);
  await page.goto("/knowledge");
  await expect(page.getByRole("list", { name: "Collections" }).getByRole("listitem")).toHaveCount(1);
});
