import { expect, it } from "vitest";
import { messageText } from "../../engine/model/message.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { questionFromText } from "./question-from-text.ts";

const text = { document: "handbook.md", heading: "Refunds", content: "Refunds are paid within 14 days." };

function ask(reply: object | string, taken: string[] = []) {
  const model = scriptedModel([{ text: typeof reply === "string" ? reply : JSON.stringify(reply) }], {
    price: { input: 1_000, output: 1_000 },
  });
  const costs: (number | null)[] = [];
  const made = questionFromText(model, text, taken, {
    signal: new AbortController().signal,
    onCost: (usd) => costs.push(usd),
  });
  return { made, model, costs };
}

it("makes a case of a text, with its place, and tells what it cost", async () => {
  const { made, model, costs } = ask({ usable: true, question: "When are refunds paid?", answer: "within 14 days" }, [
    "Who pays?",
  ]);
  expect(await made).toEqual({
    id: "When are refunds paid?",
    input: "When are refunds paid?",
    expected: "within 14 days",
    metadata: { document: "handbook.md", heading: "Refunds" },
  });
  const sent = model.requests[0]?.messages.at(-1);
  expect(sent && JSON.parse(messageText(sent))).toEqual({
    document: "handbook.md",
    heading: "Refunds",
    text: "Refunds are paid within 14 days.",
    taken: ["Who pays?"],
  });
  expect(costs).toEqual([expect.closeTo(0.015, 9)]);
});

it("leaves out what is no use or there already, and fails in words on anything else", async () => {
  expect(await ask({ usable: false, question: "", answer: "" }).made).toBeUndefined();
  expect(await ask({ usable: true, question: "Who pays?", answer: "us" }, ["Who pays?"]).made).toBeUndefined();
  await expect(ask("A question?").made).rejects.toThrow("The model did not reply with the JSON that was asked for.");
});
