import { ask, enterAsGuest, expect, openTemplate, test } from "./fixtures.ts";

test("a phone can open a workflow, run it, and approve a call", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterAsGuest(page);
  await openTemplate(page, "Approval flow");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "Please issue_refund for order 1001");
  const approve = page.getByRole("button", { name: "Approve", exact: true }).first();
  await expect(approve).toBeVisible();
  await page.screenshot({ path: "test-results/screens/phone-approval.png" });
  await approve.click();
  await expect(page.getByRole("log")).toContainText(/1001/);
  await expect(page.getByRole("button", { name: "Approve", exact: true })).toHaveCount(0);
});
