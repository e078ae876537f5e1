import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { ask, enterAsGuest, expect, importWorkflow, nodeCard, runEnded, runsStored, saved, test } from "./fixtures.ts";

const rightToLeft = "مسار عمل طويل الاسم للاختبار من اليمين إلى اليسار مع كلمات كثيرة جدا";
const unbroken = "Averyverylongnamewithoutanyspaceatallthatcannotbebrokenanywhereexceptbyforce";

test("long names and other directions of writing are read from their beginning, on a phone too", async ({ page }) => {
  await enterAsGuest(page);
  for (const name of [rightToLeft, unbroken]) {
    await page.goto("/");
    await importWorkflow(
      page,
      buildWorkflow({
        name,
        nodes: { chat: ["chat-trigger"], agent: ["ai-agent", {}, name], model: ["demo-model"] },
        edges: ["chat.main -> agent.main", "model.model -> agent.model"],
      }),
    );
    await saved(page);
  }
  await page.goBack();
  await page.getByRole("link", { name: rightToLeft }).click();
  await expect(nodeCard(page, rightToLeft).locator(".card-title")).toHaveCSS("direction", "rtl");
  await expect(page.getByRole("textbox", { name: "Workflow name" })).toHaveCSS("direction", "rtl");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "ما هو الطقس؟");
  await runEnded(page);
  await runsStored(page);
  await expect(page.getByRole("log").getByText("ما هو الطقس؟", { exact: true })).toHaveCSS("direction", "rtl");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  const name = page.getByRole("link", { name: unbroken });
  // Nothing stands beside it but its picture and its menu.
  expect((await name.boundingBox())?.width).toBeGreaterThan(180);
  await expect(page.getByRole("link", { name: rightToLeft })).toHaveCSS("direction", "rtl");
  await page.goto("/runs");
  const run = page.getByRole("list", { name: "Stored runs" }).getByRole("listitem");
  const figures = run.getByText(/\d (ms|s) · .*tokens · \$/);
  expect(await figures.evaluate((words) => words.scrollWidth - words.clientWidth)).toBe(0);
  await page.goto("/runs?tab=costs");
  const table = page.getByRole("group", { name: "By workflow" });
  await expect(table.getByRole("columnheader", { name: "Cost" })).toBeVisible();
  expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  // A day is named as its chart names it.
  const day = page.getByRole("group", { name: "By day" }).getByRole("rowheader");
  await expect(day.locator("span").first()).toHaveText(/^[A-Z][a-z]{2} \d{1,2}$/);
});
