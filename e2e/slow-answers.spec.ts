import type { Page } from "@playwright/test";
import { choose, enterAsGuest, expect, openTemplate, saved, test } from "./fixtures.ts";

const suites = "/rest/v1/studio_suites";

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

test("a dialog that is being sent is not sent again by Enter", async ({ page }) => {
  await enterAsGuest(page);
  await openTemplate(page, "Extract JSON");
  await saved(page);
  await page.goto("/tests");
  await page.getByRole("button", { name: "New suite" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New suite" });
  await choose(dialog.getByRole("combobox", { name: /^Workflow/ }), "Extract JSON");
  const name = dialog.getByRole("textbox", { name: /^Name/ });
  await name.fill("Invoices");
  let made = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes(suites)) made += 1;
  });
  const making = await holdBack(page, new RegExp(suites), "POST");
  await name.press("Enter");
  await making.asked;
  await expect(dialog.getByRole("button", { name: "Create" })).toBeDisabled();
  await name.press("Enter");
  making.release();
  await expect(page.getByRole("heading", { name: "Invoices" })).toBeVisible();
  expect(made).toBe(1);
});
