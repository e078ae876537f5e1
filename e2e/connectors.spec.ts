import { canvasReady, enterWithTemplate, expect, nodeCard, saved, test } from "./fixtures.ts";

test("a service's operation is found by search, added by keyboard as a tool of the agent, and says what credential it needs", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await canvasReady(page);

  await page.keyboard.press("n");
  const search = page.getByRole("searchbox", { name: "Search nodes" });
  const slack = page.getByRole("region", { name: "Add a node" }).getByText("Slack", { exact: true });
  await expect(slack).toBeVisible();
  await expect(page.locator("[data-operation='slack/send-message']")).toBeHidden();
  await search.fill("slack send");
  await expect(page.locator("[data-operation='slack/send-message']")).toBeVisible();
  await expect(page.getByText("Needs: Bot token")).toBeVisible();
  await search.press("Enter");
  await expect(nodeCard(page, "Slack: Send a message")).toBeVisible();
  await expect(page.getByRole("group", { name: "tool connection from Slack: Send a message to Agent" })).toHaveCount(1);

  const inspector = page.getByRole("region", { name: "Settings of Slack: Send a message" });
  await expect(inspector.getByText("Slack: Bot token.")).toBeVisible();
  await inspector.getByRole("button", { name: "New", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "New credential" });
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("Slack");
  await expect(dialog.getByRole("textbox", { name: "Allowed hosts" })).toHaveValue("slack.com");
  await dialog.getByLabel("Token").fill("test-key-1234567890");
  await dialog.getByRole("button", { name: "Save credential" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(inspector.getByText("Slack: Bot token.")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+z");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(nodeCard(page, "Slack: Send a message")).toHaveCount(0);
});

test("an operation is a step of the flow, too, from the palette and from the command menu @rest", async ({ page }) => {
  await enterWithTemplate(page, "Blank");
  await saved(page);
  await canvasReady(page);
  await page.keyboard.press("n");
  const search = page.getByRole("searchbox", { name: "Search nodes" });
  await search.fill("github create");
  await page.getByRole("radio", { name: "Tool" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "Step" })).toBeChecked();
  await page.locator("[data-operation='github/create-issue']").click();
  await expect(nodeCard(page, "GitHub: Create an issue")).toContainText("POST");
  await search.press("Escape");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByPlaceholder("Search actions, nodes and workflows").fill("notion search");
  await page.getByRole("option", { name: /Add Notion: Search.*Step/ }).click();
  await expect(nodeCard(page, "Notion: Search")).toBeVisible();
});
