import { enterAsGuest, expect, openTemplate, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";

test.setTimeout(240_000);

test("a published workflow runs on the server, and its page follows it to the end", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await saved(page);

  const dialog = page.getByRole("dialog", { name: "Run on server" });
  await page.getByRole("button", { name: "Run options" }).click();
  await page.getByRole("menuitem", { name: "Run on server…" }).click();
  await expect(dialog).toContainText("Publish it first");
  await look(page, "wide-server-run-unpublished");
  await dialog.getByRole("button", { name: "Publish…" }).click();
  const publish = page.getByRole("dialog", { name: "Publish" });
  await publish.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByText("Version 1 is live")).toBeVisible();

  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("run on server");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("combobox", { name: "Version" })).toHaveValue("live");
  await dialog.getByLabel("Message").fill("What is 12.5% of 480?");
  await look(page, "wide-server-run-start");
  await dialog.getByRole("button", { name: "Run", exact: true }).click();

  await expect(page).toHaveURL(/\/runs\//);
  const bar = page.getByRole("region", { name: "Server run" });
  await expect(bar).toContainText("On the server, version 1");
  await look(page, "wide-server-run-under-way");
  await expect(bar.getByRole("status")).toHaveText("Completed", { timeout: 90_000 });
  await expect(bar).toContainText("worker studio-1");
  await expect(bar.getByRole("button", { name: "Cancel" })).toBeHidden();
  await expect(page.getByRole("region", { name: "Replay" })).toBeVisible();
  await page.getByRole("tab", { name: "Chat" }).click();
  await expect(page.getByRole("log", { name: "Conversation" })).toContainText("60");
  await look(page, "wide-server-run-done");
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-server-run-done");
});
