import type { Page } from "@playwright/test";
import { enterAsGuest, expect, openTemplate, saved, test } from "./fixtures.ts";

interface HeldBack {
  /** Resolves when the first request is there. */
  asked: Promise<void>;
  /** Lets all requests go on, those that come later as well. */
  release(): void;
}

/** Lets the requests to some addresses wait. */
async function holdBack(page: Page, address: RegExp, method: string): Promise<HeldBack> {
  let [tell, release] = [() => {}, () => {}];
  const asked = new Promise<void>((resolve) => (tell = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    if (route.request().method() === method) {
      tell();
      await released;
    }
    await route.fallback();
  });
  return { asked, release };
}

test("the list has a workflow's new name also where that was still being saved when the list was read", async ({
  page,
}) => {
  await enterAsGuest(page);
  await openTemplate(page, "Extract JSON");
  await saved(page);
  const saving = await holdBack(page, /\/rest\/v1\/studio_workflows\?/, "PATCH");
  await page.getByRole("textbox", { name: "Workflow name" }).fill("Read invoices");
  const listed = page.waitForResponse(/rpc\/studio_list_workflows/);
  await page.getByRole("button", { name: "All workflows" }).click();
  await saving.asked;
  await (await listed).finished();
  await expect(page.getByRole("link", { name: "Extract JSON" })).toBeVisible();
  saving.release();
  await expect(page.getByRole("link", { name: "Read invoices" })).toBeVisible();
});
