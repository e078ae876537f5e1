import { ask, enterAsGuest, expect, openTemplate, runEnded, test } from "./fixtures.ts";
import { openScales, weigh } from "./page-weight.ts";

/** Runs of one tab after which it must have stopped growing, and as many that prove it. */
const half = 20;

test("a tab stops growing: the runs of an hour leave no more elements and listeners than those of a minute", async ({
  page,
}) => {
  test.setTimeout(600_000);
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const log = page.getByRole("log", { name: "Conversation" });
  const scales = await openScales(page);
  const runMany = async (from: number) => {
    for (let index = from; index < from + half; index += 1) {
      await ask(page, `What is ${index} + 1000?`);
      await expect(log).toContainText(`${index + 1_000}`);
      await runEnded(page);
    }
    // The turns stay turns of the conversation, whether the page holds them or not.
    await expect(log.getByRole("article").last()).toHaveAttribute("aria-setsize", String(from + half));
    return weigh(scales);
  };
  await runMany(0);
  // From here on the conversation is longer than what is mounted of it.
  const before = await runMany(half);
  await runMany(half * 2);
  const after = await runMany(half * 3);
  const grown = { nodes: after.nodes - before.nodes, listeners: after.listeners - before.listeners };
  expect(grown.nodes).toBeLessThan(before.nodes * 0.25);
  expect(grown.listeners).toBeLessThan(before.listeners * 0.25);

  // The first turn, which the tab has let go of, comes back from the database, with its steps.
  await log.press("Home");
  await expect(log.getByText("What is 0 + 1000?", { exact: true })).toBeInViewport();
  const first = log.getByRole("article").first();
  await expect(first.getByRole("button", { name: /calculator/ })).toBeVisible();
  await first.getByRole("button", { name: "Ask again" }).click();
  await expect(log.getByRole("article").last()).toHaveAttribute("aria-setsize", "1");
  await expect(log).toContainText("1000");
});
