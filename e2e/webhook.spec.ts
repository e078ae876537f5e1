import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { enterAsGuest, expect, importWorkflow, nodeCard, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { openDoor, openPublish, publishOpened } from "./published-runs.ts";

const orders = buildWorkflow({
  name: "Orders",
  nodes: {
    hook: ["webhook-trigger", {}, "Order"],
    answer: ["respond", { status: 201, bodyType: "text", text: "Thanks, {{json.body.name}}" }, "Thank"],
  },
  edges: ["hook.main -> answer.main"],
});

test("a webhook is set up, called from outside, and its last request fills the canvas", async ({ page, request }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterAsGuest(page);
  await importWorkflow(page, orders);
  await saved(page);
  await publishOpened(page);

  const dialog = await openDoor(page, "Webhook");
  const address = `${new URL(page.url()).origin}/hooks/orders`;
  await expect(dialog.getByText(address, { exact: true })).toBeVisible();
  await dialog.getByLabel("Callers prove who they are by").selectOption({ label: "Bearer token" });
  await dialog.getByLabel("A caller gets").selectOption({ label: "What a Respond node says" });
  await dialog.getByRole("button", { name: "Save webhook" }).click();
  const takes = dialog.getByRole("switch", { name: "Webhook" });
  await takes.click();
  await expect(takes).toHaveAccessibleDescription("Every request is still refused: the secret is missing");
  await takes.click();
  await expect(takes).not.toBeChecked();
  const made = page.getByRole("dialog", { name: "Your new token" });
  await dialog.getByRole("button", { name: "Make a token" }).click();
  const token = (await made.getByLabel("Token", { exact: true }).textContent()) ?? "";
  expect(token.length).toBeGreaterThan(30);
  await look(page, "wide-webhook-token");
  await made.getByRole("button", { name: "Done" }).click();
  await dialog.getByRole("switch", { name: "Webhook" }).click();
  await expect(dialog.getByText("Requests start runs of the live version")).toBeVisible();
  await look(page, "wide-webhook");

  const call = (path: string, by: string, name: string) =>
    request.post(`${address}${path}`, { headers: { authorization: `Bearer ${by}` }, data: { name } });
  expect((await call("", "wrong", "Eve")).status()).toBe(401);
  const answered = await call("", token, "Ada");
  expect([answered.status(), await answered.text()]).toEqual([201, "Thanks, Ada"]);
  expect((await call("/test", token, "Grace")).status()).toBe(200);

  await dialog.getByRole("button", { name: "Replace the token" }).click();
  await made.getByRole("button", { name: "Done" }).click();
  await dialog.getByRole("button", { name: "End the old one" }).click();
  await expect(dialog.getByText("The old one is still taken")).toBeHidden();
  expect((await call("", token, "Ada")).status()).toBe(401);
  await page.reload();
  await openDoor(page, "Webhook");
  await expect(dialog.getByRole("button", { name: "Replace the token" })).toBeVisible();
  await expect(dialog.getByRole("switch", { name: "Webhook" })).toBeChecked();
  await dialog.getByRole("button", { name: "Close" }).click();

  await nodeCard(page, "Order").locator(".card-title").click();
  const sample = page.getByRole("textbox", { name: "Test request" });
  await page.getByRole("button", { name: "Use last request" }).click();
  await expect(sample).toHaveValue(/"Grace"/);
  await look(page, "wide-webhook-node");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByText("Thanks, Grace").first()).toBeVisible();
  await look(page, "wide-webhook-run");
});

test("a webhook is named that is told of failures, and its secret is shown once @rest", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterAsGuest(page);
  await importWorkflow(page, { ...orders, name: "Invoices" });
  await saved(page);
  await publishOpened(page);
  const dialog = await openPublish(page);
  await dialog.getByRole("tab", { name: "Limits and alerts" }).click();
  await dialog.getByLabel("Call a webhook").fill("ops.example.com");
  await expect(dialog.getByRole("alert")).toContainText("https://");
  await dialog.getByLabel("Call a webhook").fill("https://ops.example.com/failures");
  await dialog.getByRole("button", { name: "Save alerts" }).click();
  const made = page.getByRole("dialog", { name: "Your new signing secret" });
  await expect(made.locator("code")).toHaveText(/^whsec_/);
  await look(page, "wide-failures-secret");
  await made.getByRole("button", { name: "Done" }).click();
  await look(page, "wide-failures");
  await page.reload();
  await openPublish(page);
  await dialog.getByRole("tab", { name: "Limits and alerts" }).click();
  await expect(dialog.getByLabel("Call a webhook")).toHaveValue("https://ops.example.com/failures");
  await expect(dialog.getByRole("button", { name: "Replace the signing secret" })).toBeVisible();
  await expect(made).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "phone-failures");
  await openDoor(page, "Webhook");
  await expect(dialog.getByText("/hooks/invoices/test")).toBeVisible();
  await look(page, "phone-webhook");
});
