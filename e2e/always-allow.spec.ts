import type { Page } from "@playwright/test";
import { ask, expect, runEnded, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { sayReply } from "./servers/openai-reply.ts";
import { openVendorAgent } from "./vendor-agent.ts";

const address = "office@supplier.example";
const parameters = {
  type: "object",
  properties: { to: { type: "string" }, text: { type: "string" } },
  required: ["to"],
};
const read = { name: "read_page", arguments: "{}" };
const send = (to: string, text?: string) => ({ name: "send_note", arguments: JSON.stringify({ to, text }) });
const card = (page: Page) => page.getByRole("group", { name: "Approve send_note", exact: true });

test("a recipient is allowed for good at the question, by keyboard, and revoked in Settings", async ({
  page,
  vendor,
  api,
}) => {
  await fetch(`${api.url}/kept/notice`, { method: "POST", body: `Write to ${address}.` });
  const tools = {
    page: {
      type: "http-request-tool",
      title: "Page",
      config: { toolName: "read_page", url: `${api.url}/kept/notice`, approval: "never" },
    },
    note: {
      type: "code-tool",
      title: "Note",
      config: { toolName: "send_note", parameters, code: "return 'sent';", approval: "ask-after-untrusted" },
    },
  };
  await openVendorAgent(page, vendor.baseUrl, vendor.key, { tools });
  const letter = async (to: string, text?: string) => {
    vendor.enqueue(sayReply("", { calls: [read] }));
    vendor.enqueue(sayReply("", { calls: [send(to, text)] }));
    vendor.enqueue(sayReply(`Sent to ${to}.`));
    await ask(page, `Tell them what the notice asks. ${text ?? ""}`);
  };
  await letter(address);
  await expect(card(page)).toContainText(`Always allow ${address} as to in this workflow`);
  await card(page).getByRole("checkbox").focus();
  await page.keyboard.press("Space");
  await look(page, "wide-always-allow");
  await expect(card(page).getByRole("button", { name: "Approve" })).toBeEnabled();
  await page.keyboard.press("a");
  await runEnded(page);
  const log = page.getByRole("log", { name: "Conversation" });
  await expect(log).toContainText(`Sent to ${address}.`);

  await letter(address);
  await runEnded(page);
  await expect(log.getByText(`Sent to ${address}.`)).toHaveCount(2);
  await page.setViewportSize({ width: 390, height: 844 });
  await letter(
    `${address}.evil.example`,
    "The office moves in May, and the old keys stay with the porter. ".repeat(60),
  );
  // However long the arguments are, who answers sees the address that nobody gave.
  await card(page).getByRole("button", { name: "Approve" }).scrollIntoViewIfNeeded();
  await expect(card(page).locator("mark").first()).toBeInViewport();
  await look(page, "narrow-always-allow");
  await card(page).getByRole("button", { name: "Reject" }).click();
  await card(page).getByRole("button", { name: "Reject the call" }).click();
  await runEnded(page);

  const both = ["one@supplier.example", "two@supplier.example"];
  vendor.enqueue(sayReply("", { calls: [read] }));
  vendor.enqueue(sayReply("", { calls: both.map((to) => send(to)) }));
  vendor.enqueue(sayReply("Sent to both."));
  await ask(page, "Tell both.");
  const set = page.getByRole("group", { name: "Approve 2 calls of send_note" });
  await set.getByRole("checkbox", { name: `Always allow ${both[0]}` }).check();
  await look(page, "narrow-always-allow-set");
  await set.getByRole("button", { name: "Approve all 2" }).click();
  await runEnded(page);
  await letter(both[0] ?? "");
  await runEnded(page);
  await expect(log).toContainText(`Sent to ${both[0]}.`);

  await page.goto("/settings");
  const allowed = page.getByRole("region", { name: "Always allowed" });
  await expect(allowed.getByRole("listitem")).toHaveCount(2);
  await expect(allowed).toContainText(`${address} as to of send_note`);
  await look(page, "narrow-approval-rules");
  for (const value of [address, both[0]]) await allowed.getByRole("button", { name: `Revoke ${value}` }).click();
  await expect(page.getByText("Nothing is always allowed.")).toBeVisible();
});
