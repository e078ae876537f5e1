import { expect, it } from "vitest";
import type { AssistantMessage } from "../../engine/model/message.ts";
import { decisionOf } from "./decision.ts";

const said = (text: string): AssistantMessage => ({ role: "assistant", parts: [{ type: "text", text }] });

const calling = (...calls: readonly [name: string, input: string][]): AssistantMessage => ({
  role: "assistant",
  parts: calls.map(([toolName, input], index) => ({
    type: "tool-call",
    callId: String(index),
    toolName,
    arguments: input,
  })),
});

it("takes answers in words as one decision, and answers in JSON by their values", () => {
  expect(decisionOf(said("It rains.")).key).toBe(decisionOf(said("Rain today {sic}.")).key);
  expect(decisionOf(said('{"label":"spam","sure":true}')).key).toBe(
    decisionOf(said('{ "sure": true, "label": "spam" }')).key,
  );
  expect(decisionOf(said('{"label":"spam"}')).key).not.toBe(decisionOf(said('{"label":"ham"}')).key);
  expect(decisionOf(said("{ not JSON")).key).toBe(decisionOf(said("")).key);
});

it("takes the same calls in another order as the same decision, other arguments as another", () => {
  const both = decisionOf(calling(["a", '{"x":1,"y":2}'], ["b", "{}"]));
  expect(decisionOf(calling(["b", "{}"], ["a", '{"y":2,"x":1}'])).key).toBe(both.key);
  expect(decisionOf(calling(["a", '{"x":1,"y":2}'])).key).not.toBe(both.key);
  expect(decisionOf(calling(["a", "{broken"])).calls).toEqual([{ name: "a", input: "{broken" }]);
});
