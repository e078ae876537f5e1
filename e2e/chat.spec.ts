import type { Page } from "@playwright/test";
import { ask, canvasReady, enterWithTemplate, expect, nodeCard, runEnded, saved, test } from "./fixtures.ts";
import { adds, holdBack } from "./hold-back.ts";
import { look } from "./look.ts";
import { enterWithSketch, openVendorAgent, type Sketch } from "./vendor-agent.ts";

const log = (page: Page) => page.getByRole("log", { name: "Conversation" });
const questions = (page: Page) => log(page).getByText("You:", { exact: true });

/** Waits until the answer is there and the next question can be asked. */
async function answered(page: Page, text: string | RegExp): Promise<void> {
  await expect(log(page)).toContainText(text);
  await runEnded(page);
}

async function openChat(page: Page): Promise<void> {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
}

test("a question asked again in other words takes the place of the first, in the memory too", async ({ page }) => {
  await openChat(page);
  await ask(page, "What is 2 + 3?");
  await answered(page, "is 5.");
  await ask(page, "What is 10 * 10?");
  await answered(page, "is 100.");
  await page.getByRole("button", { name: "Edit and ask again" }).first().click();
  const editor = page.getByRole("textbox", { name: "Edit the message" });
  await editor.fill("What is 20 + 22?");
  await editor.press("Enter");
  await answered(page, "is 42.");
  await expect(questions(page)).toHaveCount(1);
  await expect(log(page)).not.toContainText("100");

  // A remembered question can be asked again as well.
  await page.reload();
  await canvasReady(page);
  await expect(log(page)).toContainText("Earlier messages");
  await expect(questions(page)).toHaveCount(1);
  await expect(log(page)).toContainText("What is 20 + 22?");
  await page.getByRole("button", { name: "Edit and ask again" }).first().click();
  await page.getByRole("textbox", { name: "Edit the message" }).fill("What is 6 * 7 + 1?");
  await page.getByRole("button", { name: "Ask again" }).click();
  await answered(page, "is 43.");
  await expect(questions(page)).toHaveCount(1);
});

test("conversations are turned to, named, and deleted with a way back @rest", async ({ page }) => {
  await openChat(page);
  await ask(page, "What is 2 + 3?");
  await answered(page, "is 5.");
  await page.getByRole("button", { name: "New conversation" }).click();
  await ask(page, "What is 4 * 4?");
  await answered(page, "is 16.");
  await expect(log(page)).not.toContainText("is 5.");

  // Each is called by its first question.
  const chat = page.getByRole("region", { name: "Chat" });
  await chat.getByRole("button", { name: "What is 4 * 4?", exact: true }).click();
  const list = page.getByRole("dialog", { name: "Conversations" });
  const rows = list.getByRole("list", { name: "Conversations" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("What is 2 + 3?");
  await rows
    .nth(1)
    .getByRole("button", { name: /^Rename/ })
    .click();
  await list.getByRole("textbox", { name: "Name of the conversation" }).fill("Small sums");
  await page.keyboard.press("Enter");
  await rows.getByRole("button", { name: /^Small sums/ }).click();
  await expect(log(page)).toContainText("is 5.");

  await page.getByRole("button", { name: "Small sums" }).click();
  await list.getByRole("button", { name: "Delete Small sums" }).click();
  await expect(log(page)).not.toContainText("is 5.");
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).click();
  await chat.getByRole("button", { name: "New", exact: true }).click();
  await expect(rows.getByRole("button", { name: /^Small sums/ })).toBeVisible();
});

const withApproval: Sketch = {
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

test("a tool call is approved in its place of the conversation, as edited or not at all", async ({ page }) => {
  await enterWithSketch(page, "Approval", withApproval);
  await saved(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(log(page)).toContainText("No memory is connected");
  await ask(page, "What is 2 + 3?");
  const card = log(page).getByRole("group", { name: "Approve calculator" });
  await card.getByRole("button", { name: "Write JSON" }).click();
  await card.getByRole("textbox", { name: "Arguments" }).fill('{ "expression": 5 }');
  await expect(card.getByRole("alert")).toContainText("expression:");
  await expect(card.getByRole("button", { name: "Approve as edited" })).toBeDisabled();
  await card.getByRole("textbox", { name: "Arguments" }).fill('{ "expression": "20 + 3" }');
  await card.getByRole("button", { name: "Fill in a form" }).click();
  await card.getByRole("textbox", { name: "expression" }).fill("20 + 30");
  await expect(page.getByRole("group", { name: "Approve calculator" })).toHaveCount(1);
  await card.getByRole("button", { name: "Approve as edited" }).click();
  await answered(page, "is 50.");
  await expect(nodeCard(page, "Calculator").locator(".card-run")).toHaveAttribute("data-status", "done");

  await ask(page, "What is 7 * 7?");
  await card.getByRole("button", { name: "Reject", exact: true }).click();
  await card.getByRole("textbox", { name: "Reason" }).fill("Not today");
  await card.getByRole("button", { name: "Reject the call" }).click();
  await answered(page, "Not today");
  await expect(log(page).getByText("rejected", { exact: true })).toBeVisible();
  await expect(nodeCard(page, "Calculator").locator(".card-run")).toHaveAttribute("data-status", "rejected");
});

/** A picture of one colour, drawn by the browser as large as asked. */
async function picture(page: Page, width: number, height: number) {
  const base64 = await page.evaluate(
    async ([w, h]) => {
      const canvas = document.createElement("canvas");
      canvas.width = w ?? 1;
      canvas.height = h ?? 1;
      canvas.getContext("2d")?.fillRect(0, 0, canvas.width, canvas.height);
      return canvas.toDataURL("image/png").split(",")[1] ?? "";
    },
    [width, height],
  );
  return { name: "picture.png", mimeType: "image/png", buffer: Buffer.from(base64, "base64") };
}

test("web pages that an answer rests on are links under it @rest", async ({ page, vendor }) => {
  await openVendorAgent(page, vendor.baseUrl, vendor.key);
  await ask(page, "Why is the sky blue? [web]");
  await answered(page, "The sky is blue.");
  const pages = log(page).getByRole("list", { name: "Web sources" }).getByRole("link");
  await expect(pages).toHaveText(["Why the sky is blue", "Light"]);
  await expect(pages.first()).toHaveAttribute("href", "https://example.com/sky");
});

test("a picture goes from the chat to the model, and a file comes with the answer @rest", async ({ page, vendor }) => {
  await openVendorAgent(page, vendor.baseUrl, vendor.key, { answersAsFile: true });
  const input = page.getByLabel("Files to attach");
  const storing = await holdBack(page, /functions\/v1\/files$/, adds);
  await input.setInputFiles([await picture(page, 40, 30), await picture(page, 3_000, 1_500)]);
  const attached = page.getByRole("list", { name: "Attached files" });
  await expect(attached.getByRole("img")).toHaveCount(2);
  await expect(page.getByText("cannot see pictures")).toBeHidden();
  const box = page.getByRole("textbox", { name: "Message", exact: true });
  const waits = page.getByText("Your message will be sent when its files are uploaded.");
  await ask(page, "What is here?");
  await expect(waits).toBeVisible();
  await look(page, "chat-waiting-for-files", { both: true });
  await box.fill("What is on these pictures?");
  await expect(waits).toBeHidden();
  await box.press("Enter");
  await page.getByRole("button", { name: "Cancel sending" }).click();
  await expect(waits).toBeHidden();
  await box.press("Enter");
  await storing.asked;
  storing.release();
  await expect(log(page)).toContainText("What is on these pictures?");
  await expect(box).toHaveValue("");
  await runEnded(page);
  const pictures = log(page).getByRole("list", { name: "Files", exact: true }).getByRole("img");
  await expect(pictures).toHaveCount(2);
  const sent = vendor.requests.findLast(({ path }) => path.includes("chat/completions"))?.text ?? "";
  const urls = [...sent.matchAll(/data:image\/(png|jpeg);base64,/g)].map((match) => match[1]);
  expect(urls).toEqual(["png", "jpeg"]);
  const widths = () =>
    pictures.evaluateAll((images) =>
      images.map((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
    );
  await expect.poll(widths).toEqual([40, 1_024]);
  const made = log(page).getByRole("list", { name: "Files of the answer" });
  await expect(made).toContainText("answer.md");
  const download = page.waitForEvent("download");
  await made.getByRole("button", { name: "Download answer.md" }).click();
  expect((await download).suggestedFilename()).toBe("answer.md");

  await page.reload();
  await canvasReady(page);
  await expect.poll(widths).toEqual([40, 1_024]);
  await expect(made).toContainText("answer.md");
});

test("a picture for a model that cannot see is warned of before it is sent, and what is no picture is refused @rest", async ({
  page,
}) => {
  await openChat(page);
  const input = page.getByLabel("Files to attach");
  await input.setInputFiles(await picture(page, 10, 10));
  await expect(page.getByText("Demo model cannot see pictures")).toBeVisible();
  await page.getByRole("button", { name: "Remove picture.png" }).click();
  await expect(page.getByText("cannot see pictures")).toBeHidden();
  await input.setInputFiles({ name: "notes.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await expect(page.getByText("cannot read “notes.png” as a picture")).toBeVisible();
  await input.setInputFiles({ name: "call.mp3", mimeType: "audio/mpeg", buffer: Buffer.from("ID3") });
  await expect(page.getByText("Demo model cannot hear an attached recording")).toBeVisible();
  await page.getByRole("button", { name: "Remove call.mp3" }).click();
  await expect(page.getByText("cannot hear an attached recording")).toBeHidden();
});
