import type { Locator, Page } from "@playwright/test";
import { ask, enterWithTemplate, expect, runEnded, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { remember } from "./remember.ts";
import { sayReply } from "./servers/openai-reply.ts";
import { openVendorAgent } from "./vendor-agent.ts";

const log = (page: Page) => page.getByRole("log", { name: "Conversation" });

const elementsIn = (list: Locator) => list.evaluate((element) => element.querySelectorAll("*").length);

/** Where the first row that the reader sees in full stands, and what it says. */
const firstSeen = (list: Locator) =>
  list.evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll("[data-row]")];
    const row = rows.find((each) => each.getBoundingClientRect().top >= top);
    return { key: row?.getAttribute("data-row"), top: Math.round((row?.getBoundingClientRect().top ?? 0) - top) };
  });

/** Mounted neighbours of which the second does not begin where the first ends. */
const overlaps = (list: Locator) =>
  list.evaluate((element) => {
    const rows = [...element.querySelectorAll("[data-row]")].map((row) => row.getBoundingClientRect());
    return rows.slice(1).flatMap((row, index) => {
      const gap = Math.round(row.top - (rows[index]?.bottom ?? 0));
      return Math.abs(gap) > 1 ? [gap] : [];
    });
  });

const fromEnd = (list: Locator) =>
  list.evaluate(({ scrollHeight, scrollTop, clientHeight }) => Math.round(scrollHeight - scrollTop - clientHeight));

test("of 10,000 messages the page holds those near the view, and each can be scrolled to, found and asked again", async ({
  page,
}) => {
  test.setTimeout(600_000);
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await remember(page, 10_000);
  const list = log(page);
  await expect(list).toContainText("Answer 5000", { timeout: 60_000 });
  await expect.poll(() => fromEnd(list)).toBeLessThan(2);
  expect(await elementsIn(list)).toBeLessThan(1_500);
  await look(page, "long-chat");

  // In a wider or narrower page the rows lie one under the other as before.
  for (const width of [1_900, 1_440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overlaps(list)).toEqual([]);
    await expect.poll(() => fromEnd(list)).toBeLessThan(2);
  }

  // Upwards by the wheel: what is read does not jump while the heights above become known.
  await list.hover();
  for (let turn = 0; turn < 12; turn += 1) {
    await page.mouse.wheel(0, -700);
    await page.waitForTimeout(120);
  }
  const before = await firstSeen(list);
  await page.mouse.wheel(0, -60);
  await expect.poll(async () => (await firstSeen(list)).top).not.toBe(before.top);
  const after = await firstSeen(list);
  if (after.key === before.key) expect(after.top - before.top).toBe(60);
  expect(await elementsIn(list)).toBeLessThan(1_500);

  // By the keyboard to the beginning, and back to the end.
  await list.press("Home");
  await expect(list.getByText("Question number 1", { exact: true })).toBeInViewport();
  await expect(list.getByRole("article").first()).toHaveAttribute("aria-posinset", "1");
  await expect(list).toHaveAttribute("aria-live", "off");
  await page.getByRole("button", { name: "Go to the latest message" }).click();
  await expect(list).toContainText("Answer 5000");
  await expect.poll(() => fromEnd(list)).toBeLessThan(2);
  await expect(list).toHaveAttribute("aria-live", "polite");

  // A message far from the view is found by its words and shown.
  await list.press("ControlOrMeta+f");
  const find = page.getByRole("searchbox", { name: "Find in this conversation" });
  await find.fill("question number 123");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("11 of 11");
  await expect(list.getByText("Question number 1239", { exact: true })).toBeInViewport();
  for (let turn = 0; turn < 10; turn += 1) await find.press("Enter");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("1 of 11");
  const found = list.getByText("Question number 123", { exact: true });
  await expect(found).toBeInViewport();
  await look(page, "long-chat-found");
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "long-chat-found-phone");
});

test("a conversation is copied whole, keeps what is being typed, and goes on from its last question", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await remember(page, 300);
  const list = log(page);
  await expect(list).toContainText("Answer 150", { timeout: 60_000 });
  await list.press("ControlOrMeta+f");
  const find = page.getByRole("searchbox", { name: "Find in this conversation" });
  await find.fill("question number 123");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("1 of 1");

  // A copy has all of it, and not what is mounted alone.
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy the conversation" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.match(/^You:$/gm)).toHaveLength(150);
  expect(copied).toMatch(/^You:\nQuestion number 1\n\nAnswer:\n# Answer 1\n/);

  // Words that are being typed stay when their message is scrolled away.
  const article = list.getByRole("article").filter({ has: page.getByText("Question number 123", { exact: true }) });
  await article.hover();
  await article.getByRole("button", { name: "Edit and ask again" }).click();
  await list.getByRole("textbox", { name: "Edit the message" }).fill("In other words");
  await list.focus();
  await list.press("Home");
  await expect(list.getByText("Question number 1", { exact: true })).toBeInViewport();
  await expect(list.getByRole("textbox", { name: "Edit the message" })).toHaveCount(0);
  await find.press("Enter");
  await find.press("Shift+Enter");
  await expect(list.getByRole("textbox", { name: "Edit the message" })).toHaveValue("In other words");
  await list.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Close the search" }).click();

  // The last question, asked again in other words.
  await list.press("End");
  await expect(list).toContainText("Answer 150");
  await list.getByRole("button", { name: "Edit and ask again" }).last().click();
  const editor = list.getByRole("textbox", { name: "Edit the message" });
  await editor.fill("What is 20 + 22?");
  await editor.press("Enter");
  await expect(list).toContainText("is 42.", { timeout: 60_000 });
  await runEnded(page);
  await expect(list).not.toContainText("Question number 150");
  await expect.poll(() => fromEnd(list)).toBeLessThan(2);
});

test("an answer that streams in stays in view, unless the reader has scrolled up", async ({ page, vendor }) => {
  await openVendorAgent(page, vendor.baseUrl, vendor.key);
  await saved(page);
  await remember(page, 200);
  const list = log(page);
  await expect(list).toContainText("Answer 100");
  const paragraph = "A paragraph that says something at some length, so that it takes lines.";
  vendor.enqueue({ ...sayReply(Array.from({ length: 80 }, () => paragraph).join("\n\n")), delayMs: 15 });
  await ask(page, "Tell me much");
  await expect(list.getByText(paragraph).nth(5)).toBeVisible();
  expect(await fromEnd(list)).toBeLessThan(200);
  await page.screenshot({ path: "test-results/screens/long-chat-streaming.png" });
  await list.hover();
  await page.mouse.wheel(0, -1_500);
  await expect(page.getByRole("button", { name: "Go to the latest message" })).toBeVisible();
  await page.waitForTimeout(200);
  const before = await firstSeen(list);
  const height = await list.evaluate(({ scrollHeight }) => scrollHeight);
  await runEnded(page, { timeout: 60_000 });
  expect(await firstSeen(list)).toEqual(before);
  expect(height).toBeGreaterThan(0);

  // An own question always comes into view, and its answer is followed to the end.
  await ask(page, "And more?");
  await expect(list.getByText("And more?", { exact: true })).toBeInViewport();
  await runEnded(page);
  await expect.poll(() => fromEnd(list)).toBeLessThan(2);
});
