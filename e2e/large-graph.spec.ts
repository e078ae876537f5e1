import { gridWorkflow } from "../bench/canvas/bench-workflow.ts";
import { enterAsGuest, expect, importWorkflow, test } from "./fixtures.ts";

test("cards that are first seen from far away have their wires", async ({ page }) => {
  const workflow = gridWorkflow(100);
  await enterAsGuest(page);
  await importWorkflow(page, workflow);
  await page.getByRole("button", { name: /fit/i }).first().click();
  await expect(page.locator(".react-flow__edge")).toHaveCount(Object.keys(workflow.edges).length);
});
