import { expect, it } from "vitest";
import { newDocument, newNode } from "../../engine/document/new-document.ts";
import type { JsonObject } from "../../engine/json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { firstQuestions } from "./first-questions.ts";

function nodes(...made: [type: string, config?: JsonObject][]) {
  const document = newDocument("w", "Chat");
  for (const [type, config] of made) {
    const definition = nodeRegistry[type];
    if (!definition) throw new Error(`There is no ${type}.`);
    document.nodes[type] = newNode(definition, { id: type, position: { x: 0, y: 0 }, config });
  }
  return document.nodes;
}

it("offers the questions of the trigger first, and none twice", () => {
  const own = nodes(["chat-trigger", { questions: ["Refund 1001", "Refund 1001"] }], ["window-memory"]);
  expect(firstQuestions(own, nodeRegistry)).toEqual([
    "Refund 1001",
    "My name is Ada. Please remember it.",
    "What can you help me with?",
  ]);
  const four = nodes(["chat-trigger", { questions: ["a", "b", "c", "d"] }]);
  expect(firstQuestions(four, nodeRegistry)).toEqual(["a", "b", "c", "d"]);
});

it("offers what the other nodes can answer where the trigger has none, or none that fit", () => {
  const configs: JsonObject[] = [{}, { questions: 3 }];
  for (const config of configs) {
    expect(firstQuestions(nodes(["chat-trigger", config], ["calculator-tool"]), nodeRegistry)).toEqual([
      "What is 12.5% of 480?",
      "What can you help me with?",
    ]);
  }
  const off = nodes(["chat-trigger"], ["calculator-tool"]);
  if (off["calculator-tool"]) off["calculator-tool"].disabled = true;
  expect(firstQuestions(off, nodeRegistry)).toEqual(["What can you help me with?"]);
});
