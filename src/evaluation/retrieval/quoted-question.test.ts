import { expect, it } from "vitest";
import { messageText } from "../../engine/model/message.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { quotedQuestion } from "./quoted-question.ts";

const text = { document: "handbook.md", heading: "Refunds", content: "Refunds are paid within 14 days." };

function ask(reply: object | string, taken: string[] = []) {
  const model = scriptedModel([{ text: typeof reply === "string" ? reply : JSON.stringify(reply) }], {
    price: { input: 1_000, output: 1_000 },
  });
  const costs: (number | null)[] = [];
  const signal = new AbortController().signal;
  const written = quotedQuestion(model, text, taken, { signal, onCost: (usd) => costs.push(usd) });
  return { written, model, costs };
}

it("makes a question with the words that answer it, and tells what it cost", async () => {
  const { written, model, costs } = ask(
    { usable: true, question: " When is money paid back? ", quote: "Refunds are paid\nwithin 14 days." },
    ["Who pays?"],
  );
  expect(await written).toEqual({
    type: "question",
    question: {
      question: "When is money paid back?",
      passages: [{ document: "handbook.md", quote: "Refunds are paid\nwithin 14 days." }],
    },
  });
  expect(costs).toEqual([expect.any(Number)]);
  expect(model.requests[0]?.tools).toEqual([]);
  const sent = model.requests[0]?.messages.at(-1);
  expect(sent && JSON.parse(messageText(sent))).toMatchObject({ text: text.content, taken: ["Who pays?"] });
});

it("drops a quote that does not stand in the text, and says so", async () => {
  const reply = { usable: true, question: "When?", quote: "Refunds are paid within 30 days." };
  expect(await ask(reply).written).toEqual({ type: "misquoted" });
  expect(await ask({ ...reply, quote: "" }).written).toEqual({ type: "misquoted" });
});

it("leaves out what is no use or there already, and fails in words on anything else", async () => {
  const quote = "Refunds are paid within 14 days.";
  expect(await ask({ usable: false, question: "", quote: "" }).written).toEqual({ type: "useless" });
  expect(await ask({ usable: true, question: "When?", quote }, ["When?"]).written).toEqual({ type: "useless" });
  await expect(ask("A question?").written).rejects.toThrow("The model did not reply with the JSON that was asked for.");
});
