import { expect, it } from "vitest";
import { isQuoteOf, isRight, ranksOf } from "./right-passage.ts";

const document = "returns.md";
const quote = "A lamp can be returned within 30 days after it was delivered.";
const right = { document, quote };

it("takes a quote for one that stands in the text, whatever its spaces and its case", () => {
  expect(isQuoteOf(`# Returns\n\n${quote}\n`, quote)).toBe(true);
  expect(isQuoteOf("A lamp can be returned\nwithin  30 days after it was delivered.", quote)).toBe(true);
  expect(isQuoteOf(quote, "A LAMP CAN BE RETURNED")).toBe(true);
  expect(isQuoteOf("灯具可以在三十天内退货，并全额退款。", "三十天内退货， 并全额退款")).toBe(true);
});

it("takes nothing for a quote that does not stand there, or is too short to say anything", () => {
  expect(isQuoteOf(`A lamp can be returned within 14 days.`, quote)).toBe(false);
  expect(isQuoteOf(quote, "A lamp")).toBe(false);
  expect(isQuoteOf(quote, "  ")).toBe(false);
});

it("knows the right passage in larger and smaller chunks, and where a chunk ends within the quote", () => {
  expect(isRight({ document, content: `Before. ${quote} After.` }, right)).toBe(true);
  expect(isRight({ document, content: "can be returned within 30 days" }, right)).toBe(true);
  expect(isRight({ document, content: "Before. A lamp can be returned within 30 days after" }, right)).toBe(true);
  expect(isRight({ document, content: "returned within 30 days after it was delivered. After." }, right)).toBe(true);
});

it("takes no other passage for the right one", () => {
  expect(isRight({ document: "other.md", content: quote }, right)).toBe(false);
  expect(isRight({ document, content: "Before. A lamp can be" }, right)).toBe(false);
  expect(isRight({ document, content: "A lamp" }, right)).toBe(false);
  expect(isRight({ document, content: "" }, right)).toBe(false);
});

it("gives each right passage the rank at which it was found first", () => {
  const found = [
    { document: "other.md", content: quote },
    { document, content: quote },
    { document, content: `${quote} Again.` },
  ];
  expect(ranksOf(found, [right, { document, quote: "Nobody wrote these words." }])).toEqual([2, null]);
});
