import type { Page } from "@playwright/test";
import { enterAsGuest, expect, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { callsAsPage, publishOpened } from "./published-runs.ts";
import { importSketch, type Sketch } from "./vendor-agent.ts";

const asks: Sketch = {
  nodes: {
    chat: { type: "chat-trigger", title: "Chat" },
    agent: { type: "ai-agent", title: "Agent" },
    model: { type: "demo-model", title: "Model" },
    tool: { type: "calculator-tool", title: "Calculator", config: { approval: "ask" } },
  },
  edges: [
    ["chat.main", "agent.main"],
    ["model.model", "agent.model"],
    ["tool.tool", "agent.tools"],
  ],
};

const inboxLink = (page: Page) => page.getByRole("link", { name: /^Inbox/ });
const card = (page: Page) => page.getByRole("group", { name: "Approve calculator of Sums at night" });

test("a run on a worker asks in the inbox, where its calls are approved as edited, rejected, or decided too late", async ({
  page,
}) => {
  await enterAsGuest(page);
  await inboxLink(page).click();
  await expect(page.getByRole("heading", { name: "Nothing is waiting for you" })).toBeVisible();
  await look(page, "wide-inbox-empty");
  await page.goto("/");
  await importSketch(page, "Sums at night", asks);
  await saved(page);
  await publishOpened(page);
  const call = await callsAsPage(page);
  const start = (message: string) =>
    call("studio_start_run", { p_workflow: "sums-at-night", p_target: "live", p_input: { message } });
  await start("What is 2 + 3?");

  await expect(inboxLink(page)).toHaveAccessibleName("Inbox, 1 waiting");
  await inboxLink(page).click();
  await expect(card(page)).toContainText(/wants to call calculator/);
  await expect(card(page)).toContainText(/Asked .+ · expires .+ · Open the run/);
  await look(page, "wide-inbox");
  await page.goto("/runs");
  await page.getByRole("region", { name: "On the server" }).getByRole("button", { name: "1 waiting" }).click();
  await expect(page).toHaveURL(/status=waiting/);
  await expect(page.getByRole("list", { name: "Stored runs" }).getByRole("listitem")).toHaveCount(1);
  await look(page, "wide-runs-on-server");
  await page.goto("/inbox");
  await card(page).getByRole("button", { name: "Write JSON" }).click();
  await card(page).getByRole("textbox", { name: "Arguments" }).fill('{ "expression": ');
  await expect(card(page).getByRole("alert")).toContainText("This is not a JSON object yet");
  await expect(card(page).getByRole("button", { name: "Approve as edited" })).toBeHidden();
  await card(page).getByRole("textbox", { name: "Arguments" }).fill('{ "expression": "20 + 30" }');
  const link = card(page).getByRole("link", { name: "Open the run" });
  const run = (await link.getAttribute("href")) ?? "";
  // By keyboard alone.
  await expect(card(page).getByRole("button", { name: "Approve as edited" })).toBeEnabled();
  await card(page).getByRole("button", { name: "Approve as edited" }).focus();
  await page.keyboard.press("Enter");
  await expect(card(page)).toBeHidden();
  await expect(page.getByText("calculator: approved")).toBeVisible();
  await expect(page.getByRole("region", { name: "Waiting for approval" })).toBeFocused();
  await expect(inboxLink(page)).toHaveAccessibleName("Inbox");
  await expect
    .poll(async () => {
      await page.goto("/runs");
      return page.getByRole("list", { name: "Stored runs" }).getByRole("listitem").first().innerText();
    })
    .toContain("Completed");
  await page.goto(run);
  await page.getByRole("tab", { name: "Chat" }).click();
  await expect(page.getByRole("log")).toContainText("is 50.");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/inbox");
  await start("What is 7 * 7?");
  await expect(card(page)).toBeVisible();
  await card(page).getByRole("button", { name: "Reject", exact: true }).click();
  await card(page).getByRole("textbox", { name: "Reason" }).fill("Not today");
  await look(page, "narrow-inbox");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await card(page).getByRole("button", { name: "Reject the call" }).click();
  await expect(card(page)).toBeHidden();
  await expect(page.getByText("calculator: rejected")).toBeVisible();
  await look(page, "narrow-inbox-empty");

  await start("What is 8 * 8?");
  await expect(card(page)).toBeVisible();
  const other = (await card(page).getByRole("link", { name: "Open the run" }).getAttribute("href")) ?? "";
  // The list does not learn of the end before the answer is sent.
  let open: () => void = () => {};
  const answered = new Promise<void>((resolve) => (open = resolve));
  await page.route(/rpc\/studio_inbox/, async (route) => {
    await answered;
    await route.continue();
  });
  await call("studio_cancel_run", { p_run_id: other.replace("/runs/", "") });
  await card(page).getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByText("The run is over")).toBeVisible();
  open();
  await expect(card(page)).toBeHidden();
});
