import { ask, asksBeforeClosing, enterWithTemplate, expect, runEnded, saved, test } from "./fixtures.ts";

test("S57 the database is away during a run: it ends, says that it is not saved, and is stored once later", async ({
  page,
}) => {
  await enterWithTemplate(page, "Approval flow");
  await saved(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const log = page.getByRole("log");
  const unsaved = page.getByText("This run is not saved yet");
  const tables = /\/rest\/v1\/(studio_run|rpc\/studio_record_run)/;
  await page.route(tables, (route) => route.abort("connectionfailed"));
  // The chat offers what the template is about.
  await page.getByRole("button", { name: "Please issue_refund for order 1001" }).click();
  await expect(unsaved).toBeVisible();
  await log.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(log).toContainText("R-1001");
  await runEnded(page);
  await expect(unsaved).toBeVisible();
  expect(await asksBeforeClosing(page)).toBe(true);
  await page.unroute(tables);
  await expect(unsaved).toBeHidden({ timeout: 60_000 });
  await expect.poll(() => asksBeforeClosing(page)).toBe(false);
  await ask(page, "Thank you");
  await expect(log).toContainText("Thank you”");
  await runEnded(page);

  await page.getByRole("link", { name: "Runs", exact: true }).click();
  const rows = page.getByRole("list", { name: "Stored runs" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("Completed");
  await rows.last().getByRole("link").click();
  const calls = page.getByRole("listbox", { name: "Steps" }).getByRole("option", { name: /^issue_refund/ });
  await expect(calls).toHaveCount(1);
});
