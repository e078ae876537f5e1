import { ask, enterAsGuest, enterWithTemplate, expect, nodeCard, runEnded, test } from "./fixtures.ts";

test("a phone can open a workflow, run it, and approve a call", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterWithTemplate(page, "Approval flow");
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

test("an agent's card says what the agent has, in words that fit @rest", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12.5% of 480?");
  await runEnded(page);
  await page.getByRole("tab", { name: "Canvas" }).click();
  await expect(page.getByRole("button", { name: "Zoom to fit" })).toBeVisible();
  await page.keyboard.press("Shift+Digit0");
  const badges = nodeCard(page, "Agent").locator(".card-badges");
  await expect(badges).toBeVisible();
  await expect(badges).toHaveText("2 tools · window");
  expect(await badges.evaluate((words) => words.scrollWidth - words.clientWidth)).toBe(0);
  await page.screenshot({ path: "test-results/screens/phone-agent.png" });
});

test("the buttons of the tests stand in one row beside their heading @rest", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterAsGuest(page);
  await page.goto("/tests");
  const main = page.getByRole("main");
  const tops = new Set<number>();
  for (const name of ["Try an example", "Import", "New suite"])
    tops.add((await main.getByRole("button", { name }).first().boundingBox())?.y ?? Number.NaN);
  expect([...tops]).toHaveLength(1);
  await page.screenshot({ path: "test-results/screens/phone-tests.png" });
});

test.describe("a screen for fingers", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("names no keys @rest", async ({ page }) => {
    await enterWithTemplate(page, "Ask with tools");
    await page.getByRole("tab", { name: "Canvas" }).tap();
    await nodeCard(page, "Agent").locator(".card-title").tap();
    await page.getByRole("button", { name: "More actions" }).tap();
    const item = page.getByRole("menuitem", { name: "Disable" });
    await expect(item).toBeVisible();
    await expect(item.getByText("D", { exact: true })).toBeHidden();
  });
});
