import { ask, enterWithTemplate, expect, runEnded, saved, test } from "./fixtures.ts";
import { openScales, weigh } from "./page-weight.ts";
import { remember } from "./remember.ts";

/** Runs of one tab after which it must have stopped growing, and as many that prove it; the bench makes more. */
const half = 5;
/** Messages from before, so that the conversation is longer than what is mounted of it from the first run on. */
const remembered = 60;

test("a tab stops growing with its runs, and has the first of them again from the database", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await remember(page, remembered);
  const log = page.getByRole("log", { name: "Conversation" });
  await expect(log).toContainText(`Answer ${remembered / 2}`);
  const scales = await openScales(page);
  // With the line that ends what is remembered.
  const rowsBefore = remembered + 1;
  const runMany = async (from: number) => {
    for (let index = from; index < from + half; index += 1) {
      await ask(page, `What is ${index} + 1000?`);
      await expect(log).toContainText(`${index + 1_000}`);
      await runEnded(page);
    }
    // The turns stay turns of the conversation, whether the page holds them or not.
    await expect(log.getByRole("article").last()).toHaveAttribute("aria-setsize", String(rowsBefore + from + half));
    return weigh(scales);
  };
  await runMany(0);
  const before = await runMany(half);
  await runMany(half * 2);
  const after = await runMany(half * 3);
  const grown = { nodes: after.nodes - before.nodes, listeners: after.listeners - before.listeners };
  expect(grown.nodes).toBeLessThan(before.nodes * 0.25);
  expect(grown.listeners).toBeLessThan(before.listeners * 0.25);

  // The first turn, which the tab has let go of, comes back from the database, with its steps.
  await log.press("ControlOrMeta+f");
  await page.getByRole("searchbox", { name: "Find in this conversation" }).fill("What is 0 + 1000?");
  const question = page.getByText("What is 0 + 1000?", { exact: true });
  const first = log.getByRole("article").filter({ has: question });
  await expect(first).toBeInViewport();
  await expect(first.getByRole("button", { name: /calculator/ })).toBeVisible();
  await first.getByRole("button", { name: "Ask again", exact: true }).click();
  await expect(log.getByRole("article").last()).toHaveAttribute("aria-setsize", String(rowsBefore + 1));
  await runEnded(page);
  await expect(log.getByRole("article").last()).toContainText("1000");
});
