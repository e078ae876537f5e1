import { expect, it } from "vitest";
import { newDocument, newNode } from "../../engine/document/new-document.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import type { JsonObject } from "../../engine/json.ts";
import { serverStart, typedInput } from "./server-start.ts";

function workflowWith(type: string, config: JsonObject = {}) {
  const definition = nodeRegistry[type];
  if (definition === undefined) throw new Error(`There is no ${type}.`);
  const document = newDocument("w", "W");
  document.nodes["start"] = newNode(definition, { id: "start", position: { x: 0, y: 0 }, config });
  return document;
}

it("asks for a message where there is a chat: the last one, else the first example", () => {
  const chat = workflowWith("chat-trigger", { questions: ["How far is the moon?"] });
  expect(serverStart(chat, nodeRegistry, undefined)).toEqual({ kind: "message", message: "How far is the moon?" });
  expect(serverStart(chat, nodeRegistry, { message: "Hi" })).toEqual({ kind: "message", message: "Hi" });
  expect(typedInput("message", "Hi", "chat-1")).toEqual({ message: "Hi", sessionId: "chat-1" });
  expect(typedInput("message", " ", "chat-1")).toBeUndefined();
});

it("asks for the input elsewhere: that of the last run, else that of the trigger", () => {
  const manual = workflowWith("manual-trigger", { input: { city: "Bern" } });
  expect(serverStart(manual, nodeRegistry, undefined)).toEqual({ kind: "input", input: { city: "Bern" } });
  expect(serverStart(manual, nodeRegistry, { city: "Basel" })).toEqual({ kind: "input", input: { city: "Basel" } });
  expect(typedInput("input", '{"city":"Bern"}', "")).toEqual({ city: "Bern" });
  expect(typedInput("input", "{city", "")).toBeUndefined();
});
