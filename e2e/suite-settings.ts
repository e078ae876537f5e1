import type { Page } from "@playwright/test";

/** Gives the open settings of a suite these assertions for every case, and no others. */
export async function setAssertions(page: Page, json: string): Promise<void> {
  const remove = page.getByRole("button", { name: "Remove this check" });
  while ((await remove.count()) > 0) await remove.first().click();
  const field = page.getByRole("textbox", { name: "Assertions for every case, as JSON" });
  if (!(await field.isVisible())) await page.getByText("More assertions, as JSON").click();
  await field.fill(json);
}
