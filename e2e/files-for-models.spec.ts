import { ask, expect, runEnded, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { signInAsGuest } from "./guest.ts";
import { openVendorSketch } from "./vendor-agent.ts";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const code = `
  const picture = Uint8Array.from(atob("${dot}"), (character) => character.charCodeAt(0));
  const prices = await files.makeTable("prices.xlsx", [{ fruit: "quince", price: 7 }]);
  const [first] = await files.rows(prices);
  return { message: json.message, first, prices, picture: files.make("dot.png", picture) };`;

test("a model is given the picture and the table that code made", async ({ page, vendor }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const guest = await signInAsGuest(page);
  const credential = await guest.credentialFor(vendor.baseUrl, { apiKey: vendor.key });
  await openVendorSketch(page, guest, "Files for models", {
    nodes: {
      chat: { type: "chat-trigger", title: "Chat" },
      code: { type: "code", title: "Make files", config: { code, timeoutMs: 20_000 } },
      agent: { type: "ai-agent", title: "Agent" },
      model: { type: "openai-compatible-model", title: "Model", config: { model: "gpt-4o-mini", credential } },
    },
    edges: [
      ["chat.main", "code.main"],
      ["code.main", "agent.main"],
      ["model.model", "agent.model"],
    ],
  });
  await ask(page, "What do you see?");
  await runEnded(page);
  const sent = vendor.requests.at(-1)?.text ?? "";
  expect(sent).toContain(`data:image/png;base64,${dot}`);
  expect(sent).toContain("quince");
  await look(page, "wide-files-for-models");
});
