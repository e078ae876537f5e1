import { canvasReady, enterWithTemplate, expect, nodeCard, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";

const shop = `openapi: 3.1.0
info: { title: Shop }
servers: [{ url: "https://shop.example.com" }]
paths:
  /orders/{id}:
    get:
      operationId: get_order
      summary: Finds an order
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
  /orders:
    post: { operationId: make_order, summary: Makes an order }
`;

test("operations of an API are chosen and become tools of the agent, which wait for a review", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await canvasReady(page);
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Add tools from an API (OpenAPI)" }).click();
  const dialog = page.getByRole("dialog", { name: "Add tools from an API" });
  const text = dialog.getByRole("textbox", { name: "OpenAPI document" });
  await text.fill("hello: world");
  await dialog.getByRole("button", { name: "Show operations" }).click();
  await expect(dialog.getByText("This is not an OpenAPI document.", { exact: false })).toBeVisible();
  await text.fill(shop);
  await dialog.getByRole("button", { name: "Show operations" }).click();
  await dialog.getByRole("searchbox", { name: "Search operations" }).fill("finds");
  await expect(dialog.getByRole("checkbox")).toHaveCount(1);
  await dialog.getByRole("searchbox", { name: "Search operations" }).fill("");
  await dialog.getByRole("checkbox", { name: /get_order/ }).check();
  await look(page, "openapi-operations", { both: true });
  await dialog.getByRole("button", { name: "Add 1 tool" }).click();
  await expect(nodeCard(page, "get_order")).toBeVisible();
  await expect(page.getByRole("group", { name: "tool connection from get_order to Agent" })).toHaveCount(1);
  await expect(page.getByText("1 imported node waits for your review.")).toBeVisible();
  await saved(page);
});
