import { enterWithTemplate, expect, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { openDoor, publishOpened } from "./published-runs.ts";

test("a published workflow is offered to MCP clients, which are told how to connect", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterWithTemplate(page, "Slack bot");
  await saved(page);
  await look(page, "wide-channel-template");
  await publishOpened(page);

  const dialog = await openDoor(page, "MCP");
  const { origin } = new URL(page.url());
  await expect(dialog.getByText(`${origin}/mcp/slack-bot`, { exact: true })).toBeVisible();
  await dialog.getByLabel("What it does").fill("Answers questions about orders.");
  await dialog.getByRole("button", { name: "Save description" }).click();
  await expect(page.getByText("MCP settings saved")).toBeVisible();
  await dialog.getByRole("switch", { name: "MCP" }).click();
  await expect(dialog.getByText("Clients call it as the tool slack-bot")).toBeVisible();
  await look(page, "wide-mcp");
  await dialog.getByRole("tab", { name: "VS Code" }).click();
  await expect(dialog.getByText(`"url": "${origin}/mcp/slack-bot"`)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-mcp");

  await page.reload();
  await page.setViewportSize({ width: 1440, height: 900 });
  await openDoor(page, "MCP");
  await expect(dialog.getByRole("switch", { name: "MCP" })).toBeChecked();
  await expect(dialog.getByLabel("What it does")).toHaveValue("Answers questions about orders.");
});
