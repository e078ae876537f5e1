import { expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import { asksFirst } from "./asks-first.ts";

it("says of a tool whether it asks a person first, by its settings or by default", () => {
  const words = (type: string, config = {}) => asksFirst(nodeRegistry[type], config);
  expect(words("postgres-delete-tool")).toMatch(/every call/);
  expect(words("postgres-delete-tool", { dryRun: true })).toBeUndefined();
  expect(words("calculator-tool")).toBeUndefined();
  expect(words("calculator-tool", { approval: "once" })).toMatch(/first call/);
  expect(words("http-request-tool")).toBeUndefined();
  expect(words("postgres-execute-tool")).toBeUndefined();
  expect(words("postgres-execute-tool", { readOnly: false })).toMatch(/change data/);
  expect(words("ai-agent", { approval: "ask" })).toBeUndefined();
});
