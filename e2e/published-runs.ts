import type { Page } from "@playwright/test";
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

/** Publishes the open workflow under the address that is proposed. */
export async function publishOpened(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(dialog).toBeHidden();
}
