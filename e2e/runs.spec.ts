import {
  ask,
  canvasReady,
  enterAsGuest,
  enterWithTemplate,
  expect,
  nodeCard,
  runEnded,
  runsStored,
  saved,
  showRun,
  test,
  widePanel,
} from "./fixtures.ts";
import { openVendorAgent } from "./vendor-agent.ts";

test("runs of all workflows are found, opened as they were, and deleted with a way back", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 2 + 3?");
  await expect(page.getByRole("log")).toContainText("is 5.");
  await runEnded(page);
  await ask(page, "What is 6 * 7?");
  await expect(page.getByRole("log")).toContainText("is 42.");
  await runEnded(page);
  // The workflow goes on; the run keeps the one that it was made with.
  await nodeCard(page, "Calculator").locator(".card-title").click();
  await page.keyboard.press("Delete");
  await expect(nodeCard(page, "Calculator")).toHaveCount(0);
  await saved(page);

  await page.getByRole("link", { name: "Runs", exact: true }).click();
  const list = page.getByRole("list", { name: "Stored runs" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(list.getByRole("listitem").first()).toContainText("What is 6 * 7?");
  await expect(list.getByRole("listitem").first()).toContainText("Completed");
  await page.getByRole("searchbox", { name: "Search in inputs" }).fill("2 + 3");
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(page).toHaveURL(/text=/);
  await page.getByRole("combobox", { name: "Status" }).selectOption("failed");
  await expect(page.getByRole("heading", { name: "No matching runs" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(list.getByRole("listitem")).toHaveCount(2);

  await list.getByRole("link").last().click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(nodeCard(page, "Calculator").locator(".card-run")).toHaveAttribute("data-status", "done");
  await page.getByRole("button", { name: "Open the workflow" }).click();
  await expect(nodeCard(page, "Agent")).toBeVisible();
  await expect(nodeCard(page, "Calculator")).toHaveCount(0);

  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("checkbox", { name: "Choose all shown runs" }).check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No run yet" })).toBeVisible();
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await list
    .getByRole("button", { name: /^Actions for the run/ })
    .first()
    .click();
  const deleted = page.waitForResponse((response) => response.request().method() === "DELETE");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  // Once the time to undo it is over, or its message is put away, it is gone for good.
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Dismiss" }).click();
  expect((await deleted).ok()).toBe(true);
  await page.reload();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(list).toContainText("What is 2 + 3?");

  // So it is where the page is left before.
  await list.getByRole("button", { name: /^Actions for the run/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "No run yet" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "No run yet" })).toBeVisible();
});

test("S58 a run whose tab was closed is shown as interrupted @rest", async ({ page, vendor, context }) => {
  await openVendorAgent(page, vendor.baseUrl, vendor.key);
  const stored = page.waitForResponse((response) => response.url().includes("/rest/v1/rpc/studio_record_run"));
  await ask(page, "Speak [slow]");
  await expect(page.getByRole("log")).toContainText("This answer takes");
  expect((await stored).ok()).toBe(true);
  await page.close({ runBeforeUnload: false });
  const later = await context.newPage();
  await later.goto("/runs");
  const list = later.getByRole("list", { name: "Stored runs" });
  await expect(list.getByRole("listitem").first()).toContainText("Interrupted");
  await list.getByRole("link").first().click();
  await expect(later.getByRole("option", { name: /Interrupted/ })).toBeVisible();
});

test("privacy settings mask what is stored, not what is seen live", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Privacy" }).click();
  const privacy = page.getByRole("dialog", { name: "Privacy" });
  await privacy.getByRole("switch", { name: "E-mail addresses" }).click();
  await privacy.getByRole("button", { name: "Add a pattern" }).click();
  const pattern = privacy.getByRole("textbox", { name: "Pattern 1" });
  await pattern.fill("(?=a)");
  await expect(privacy.getByRole("alert")).toContainText("RE2");
  await expect(privacy.getByRole("button", { name: "Save" })).toBeDisabled();
  await pattern.fill("badge-[0-9]+");
  await privacy.getByRole("textbox", { name: "Try it" }).fill("ada@example.org has badge-7");
  await expect(privacy.getByRole("status", { name: "As it would be stored" })).toHaveText("[email] has [masked]");
  await privacy.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "ada@example.org lost badge-7");
  await expect(page.getByRole("log")).toContainText("badge-7");
  await runEnded(page);
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  const list = page.getByRole("list", { name: "Stored runs" });
  await expect(list).toContainText("[email] lost [masked]");
  await list.getByRole("link").first().click();
  await page.getByRole("tab", { name: "Chat" }).click();
  await expect(page.getByRole("log")).toContainText("[email] lost [masked]");
  await expect(page.locator("body")).not.toContainText("badge-7");
});

test("how long runs are kept is set in the settings, where it is also said what is stored @rest", async ({ page }) => {
  await enterAsGuest(page);
  await page.goto("/settings");
  const days = page.getByRole("textbox", { name: "Delete runs after days" });
  await expect(days).toHaveValue("90");
  await days.fill("0");
  await expect(page.getByRole("alert")).toContainText("from 1 to 3,650");
  await days.fill("30");
  await page.getByRole("textbox", { name: "Keep at most this many runs" }).fill("");
  await page.locator("form").filter({ has: days }).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. Runs beyond it are deleted.")).toBeVisible();
  await page.reload();
  await expect(days).toHaveValue("30");
  await expect(page.getByRole("list", { name: "What is stored" })).toContainText("Credentials");
});

test("a run is downloaded as OpenTelemetry traces, without what was said unless asked for @rest", async ({ page }) => {
  await widePanel(page);
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12.5% of 480?");
  await expect(page.getByRole("log")).toContainText("60");
  await runEnded(page);
  await showRun(page, "Steps");
  const traces = async (item: string) => {
    await page.getByRole("button", { name: "OpenTelemetry" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: item }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString();
  };
  const bare = await traces("Names, times, tokens and cost");
  expect(bare).toContain("gen_ai.usage.input_tokens");
  expect(bare).not.toContain("12.5%");
  expect(await traces("Also messages, arguments and results")).toContain("12.5%");
});

test("a run is one tab with three views, of which the last one is remembered", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12.5% of 480?");
  await runEnded(page);
  const panel = page.getByRole("complementary", { name: "Run panel" });
  await panel.getByRole("tab", { name: "Run", exact: true }).click();
  await expect(panel.getByRole("listbox", { name: "Steps" })).toBeVisible();
  await panel.getByRole("tab", { name: "Steps", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(panel.getByRole("listbox", { name: "Waterfall" })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(panel.getByRole("listbox", { name: "Log" })).toBeVisible();
  await panel.getByRole("tab", { name: "Chat" }).click();
  await runsStored(page);
  await page.reload();
  await canvasReady(page);
  await panel.getByRole("tab", { name: "Run", exact: true }).click();
  await expect(panel.getByRole("tab", { name: "Logs", exact: true })).toHaveAttribute("aria-selected", "true");
});
