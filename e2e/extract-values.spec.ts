import { ask, expect, runEnded, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { sayReply } from "./servers/openai-reply.ts";
import { openVendorAgent } from "./vendor-agent.ts";

const parameters = {
  type: "object",
  properties: { account: { type: "string" }, amount: { type: "number" } },
  required: ["account"],
};
const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });
const values = [
  { tool: "pay", argument: "account", type: "id" },
  { tool: "pay", argument: "amount", type: "amount" },
];

test("S100 values that were read out of a page are confirmed once, and the call with them does not ask", async ({
  page,
  vendor,
  api,
}) => {
  await fetch(`${api.url}/kept/bill`, {
    method: "POST",
    body: "Dear customer, the roof is mended. Please pay 1250.50 to CH93 0076 2011 6238 5295 7. Yours, Acme Roofing.",
  });
  const tools = {
    page: {
      type: "http-request-tool",
      title: "Page",
      config: { toolName: "read_page", url: `${api.url}/kept/bill`, approval: "never" },
    },
    pay: {
      type: "code-tool",
      title: "Pay",
      config: { toolName: "pay", parameters, code: "return 'paid';", approval: "ask-after-untrusted" },
    },
  };
  await openVendorAgent(page, vendor.baseUrl, vendor.key, { config: { extractValues: true }, tools });
  const account = "CH93 0076 2011 6238 5295 7";
  vendor.enqueue(sayReply("", { calls: [call("read_page", {})] }));
  vendor.enqueue(sayReply("", { calls: [call("extract_values", { source: "read_page", values })] }));
  vendor.enqueue(sayReply(JSON.stringify({ value_1: account, value_2: "1250.50" })));
  vendor.enqueue(sayReply("", { calls: [call("pay", { account, amount: 1250 })] }));
  vendor.enqueue(sayReply("The roof is paid."));
  await ask(page, "Pay the bill on the page.");

  const form = page.getByRole("form", { name: "Answer extract_values" });
  await expect(form.getByRole("textbox", { name: "account of pay" })).toHaveValue(account);
  const sentence = form.getByText("“Please pay 1250.50 to CH93 0076 2011 6238 5295 7.”");
  await expect(sentence).toHaveCount(2);
  await expect(sentence.first()).toBeInViewport();
  await look(page, "wide-extract-values", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await form.getByRole("textbox", { name: "amount of pay" }).fill("1250");
  await look(page, "narrow-extract-values", { both: true });
  await form.getByRole("button", { name: "Confirm" }).click();
  await runEnded(page);
  await expect(page.getByRole("log", { name: "Conversation" })).toContainText("The roof is paid.");
});
