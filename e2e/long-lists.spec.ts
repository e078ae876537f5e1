import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { newDocument } from "../src/engine/document/new-document.ts";
import { choose, enterAsGuest, expect, test } from "./fixtures.ts";
import { look } from "./look.ts";

/** More than the database's API hands out at once. */
const many = 1_100;

/** Stores workflows as the guest of the page, whose rights its next request carries. */
async function storeWorkflows(page: Page): Promise<void> {
  const sent = page.waitForRequest("**/rest/v1/rpc/studio_list_workflows");
  await page.reload();
  const request = await sent;
  const headers = await request.allHeaders();
  const rows = Array.from({ length: many }, (_, index) => {
    const document = newDocument(randomUUID(), `Flow ${index + 1}`);
    return { id: document.id, name: document.name, document };
  });
  const { apikey = "", authorization = "" } = headers;
  for (let start = 0; start < many; start += 100) {
    const answer = await page.request.post(new URL("/rest/v1/studio_workflows", request.url()).href, {
      headers: { apikey, authorization, "content-type": "application/json" },
      data: rows.slice(start, start + 100),
    });
    expect(answer.status()).toBe(201);
  }
}

test("of 1,100 workflows each can be seen, found and chosen", async ({ page }) => {
  await enterAsGuest(page);
  await storeWorkflows(page);
  await page.reload();
  const list = page.getByRole("region", { name: "Your workflows" });
  // Beside the sign of a button that still loads.
  const count = list.getByRole("status").filter({ hasText: "workflows" });
  await expect(count).toHaveText("48 of 1,100 workflows");
  await expect(list.getByRole("listitem")).toHaveCount(48);
  await look(page, "long-list");
  await list.getByRole("button", { name: "Show more" }).click();
  await expect(count).toHaveText("96 of 1,100 workflows");
  await expect(list.getByRole("listitem")).toHaveCount(96);

  await choose(list.getByLabel("Order"), "Name");
  await expect(list.getByRole("listitem").getByRole("link").first()).toHaveText("Flow 1");
  await page.getByLabel("Search workflows").fill("1100");
  await expect(list.getByRole("listitem").getByRole("link")).toHaveText(["Flow 1100"]);
  await page.getByLabel("Search workflows").fill("no such flow");
  await expect(page.getByText("No workflow is called “no such flow”")).toBeVisible();

  await page.goto("/runs");
  const filters = page.getByRole("search", { name: "Filter runs" });
  await filters.getByLabel("Search workflows").fill("flow 1");
  await expect(filters.getByRole("status")).toContainText("found");
  await filters.getByLabel("Search workflows").fill("flow 1");
  await look(page, "long-list-filter");
  await filters.getByLabel("Search workflows").fill("1099");
  await expect(filters.getByRole("status")).toHaveText("1 found");
  await choose(filters.getByLabel("Workflow", { exact: true }), "Flow 1099");
  await expect(page).toHaveURL(/workflow=/);
});
