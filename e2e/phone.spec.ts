import { ask, enterAsGuest, expect, nodeCard, openTemplate, test } from "./fixtures.ts";

test("a phone can open a workflow, run it, and approve a call", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterAsGuest(page);
  await openTemplate(page, "Approval flow");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "Please issue_refund for order 1001");
  const approve = page.getByRole("button", { name: "Approve", exact: true }).first();
  await expect(approve).toBeVisible();
  await page.screenshot({ path: "test-results/screens/phone-approval.png" });
  const top = async (name: string) =>
    (await page.getByRole("button", { name, exact: true }).last().boundingBox())?.y ?? Number.NaN;
  expect(await top("Reject")).toBe(await top("Approve"));
  await approve.click();
  await expect(page.getByRole("log")).toContainText(/1001/);
  await expect(page.getByRole("button", { name: "Approve", exact: true })).toHaveCount(0);
});

test.describe("a screen for fingers", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("names no keys", async ({ page }) => {
    await enterAsGuest(page);
    await openTemplate(page, "Ask with tools");
    await page.getByRole("tab", { name: "Canvas" }).tap();
    await nodeCard(page, "Agent").locator(".card-title").tap();
    await page.getByRole("button", { name: "More actions" }).tap();
    const item = page.getByRole("menuitem", { name: "Disable" });
    await expect(item).toBeVisible();
    await expect(item.getByText("D", { exact: true })).toBeHidden();
  });
});
