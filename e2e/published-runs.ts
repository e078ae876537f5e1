import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Calls a function of the database as the page's account, the way the page itself does, and gives the answer's text. */
type Call = (name: string, parameters: object) => Promise<string>;

/** Gives a way to call functions as the account of the page, whose request for the count of the inbox says who that is. */
export async function callsAsPage(page: Page): Promise<Call> {
  const [request] = await Promise.all([page.waitForRequest(/rpc\/studio_inbox/), page.reload()]);
  const { apikey = "", authorization = "" } = await request.allHeaders();
  const base = request.url().replace(/studio_inbox$/, "");
  return async (name, parameters) => {
    const answer = await page.request.post(base + name, { data: parameters, headers: { apikey, authorization } });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.text();
  };
}

/** The dialog in which the open workflow is published. */
export const publishDialog = (page: Page) => page.getByRole("dialog", { name: "Publish" });

export async function openPublish(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(publishDialog(page)).toBeVisible();
  return publishDialog(page);
}

/** Publishes the open workflow, under the address that is proposed unless another is given, and leaves the dialog. */
export async function publishOpened(page: Page, { address, note }: { address?: string; note?: string } = {}) {
  const dialog = await openPublish(page);
  if (address !== undefined) await dialog.getByLabel("Address").fill(address);
  if (note !== undefined) await dialog.getByLabel("Note").fill(note);
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(dialog.getByRole("status").filter({ hasText: /Version \d+ is live/ })).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
}

/** Opens the settings of a way in which the published workflow is reached. */
export async function openDoor(page: Page, title: string): Promise<Locator> {
  const dialog = publishDialog(page);
  if (!(await dialog.isVisible())) await openPublish(page);
  await dialog.getByRole("tab", { name: "Where it runs" }).click();
  await expect(dialog.getByRole("list", { name: "Where it runs" })).toBeVisible();
  const row = dialog.getByRole("button", { name: title, exact: true });
  if (!(await row.isVisible())) await dialog.getByRole("button", { name: /^More/ }).click();
  if ((await row.getAttribute("aria-expanded")) !== "true") await row.click();
  await expect(dialog.getByRole("group", { name: `Settings: ${title}` })).toBeVisible();
  return dialog;
}
