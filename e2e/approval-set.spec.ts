import type { Page } from "@playwright/test";
import { ask, expect, runEnded, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { sayReply } from "./servers/openai-reply.ts";
import { openVendorAgent } from "./vendor-agent.ts";

const call = (expression: string) => ({ name: "calculator", arguments: JSON.stringify({ expression }) });
const set = (page: Page) => page.getByRole("group", { name: "Approve 3 calls of calculator" });

test("calls of one tool are one question, of which each can be struck out, or answered by its key", async ({
  page,
  vendor,
}) => {
  const tool = { approval: "ask" };
  await openVendorAgent(page, vendor.baseUrl, vendor.key, { calculator: true, tool });
  vendor.enqueue(sayReply("", { calls: [call("2 + 3"), call("10 * 10"), call("7 * 6")] }));
  vendor.enqueue(sayReply("Done with two."));
  await ask(page, "Three sums, please");
  await expect(set(page)).toHaveCount(1);
  await expect(set(page)).toContainText("expression: 10 * 10");
  await set(page).getByRole("checkbox", { name: "Call 2" }).uncheck();
  await look(page, "wide-approval-set");
  await set(page).getByRole("button", { name: "Approve 2 of 3" }).click();
  await runEnded(page);
  const log = page.getByRole("log", { name: "Conversation" });
  await expect(log).toContainText("Done with two.");
  await expect(log.getByText("rejected", { exact: true })).toHaveCount(1);

  vendor.enqueue(sayReply("", { calls: [call("1 + 1"), call("2 + 2")] }));
  vendor.enqueue(sayReply("Done with one."));
  await ask(page, "Two more");
  await page
    .getByRole("group", { name: "Approve 2 calls of calculator" })
    .getByRole("button", { name: "One by one" })
    .click();
  const cards = page.getByRole("group", { name: "Approve calculator", exact: true });
  await expect(cards).toHaveCount(2);
  await expect(cards.first().getByRole("button", { name: "Approve" })).toBeEnabled();
  await cards.first().focus();
  await page.keyboard.press("a");
  await expect(cards).toHaveCount(1);
  await cards.first().focus();
  await page.keyboard.press("r");
  await cards.first().getByRole("textbox", { name: "Reason" }).fill("a reason");
  await page.keyboard.press("Enter");
  await runEnded(page);
  await expect(log).toContainText("Done with one.");
  await expect(log.getByText("rejected", { exact: true })).toHaveCount(2);
});
