import { expect, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { openPublish, publishOpened } from "./published-runs.ts";
import { enterWithSketch } from "./vendor-agent.ts";

test("the activity of a publication counts a failed run and opens it as a replay in one click", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterWithSketch(page, "Fails", {
    nodes: {
      start: { type: "manual-trigger", title: "Start", config: { input: { n: 2 } } },
      broken: { type: "code", title: "Broken", config: { code: 'throw new Error("No such thing");' } },
    },
    edges: [["start.main", "broken.main"]],
  });
  await saved(page);
  await publishOpened(page, { address: "watched" });
  const publish = await openPublish(page);
  await publish.getByRole("tab", { name: "Limits and alerts" }).click();
  await publish.getByLabel("Collector").fill("http://10.0.0.1/v1/traces");
  await publish.getByLabel("Headers").fill("X-Scope: test-key-scope");
  await publish.getByRole("button", { name: "Save traces" }).click();
  await expect(publish).toContainText("Stored: X-Scope. Empty keeps them.");
  await expect(publish).toContainText("Nothing was sent yet");
  await look(page, "wide-traces");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Run options" }).click();
  await page.getByRole("menuitem", { name: "Run on server…" }).click();
  await page.getByRole("dialog", { name: "Run on server" }).getByRole("button", { name: "Run", exact: true }).click();
  const bar = page.getByRole("region", { name: "Server run" });
  await expect(bar.getByRole("status").first()).toHaveText("Failed", { timeout: 90_000 });

  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("tab", { name: "Published" }).click();
  await expect(page.getByRole("list", { name: "Published workflows" })).toContainText("1 run in 24 hours, 1 failed");
  await page.getByRole("link", { name: "Fails" }).click();
  await expect(page.getByRole("heading", { name: "Activity of Fails" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Runs", exact: true })).toContainText("1 failed (100%)");
  await page.getByText("Figures", { exact: true }).click();
  await expect(page.getByRole("group", { name: "Figures over time" }).getByRole("row")).toHaveCount(2);
  await look(page, "wide-activity");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("combobox", { name: "Range" }).selectOption("30d");
  await expect(page).toHaveURL(/range=30d/);
  await look(page, "narrow-activity");
  await page
    .getByRole("region", { name: "Failed runs" })
    .getByRole("link", { name: /No such thing/ })
    .click();
  await expect(page.getByRole("region", { name: "Replay" })).toBeVisible();
});
