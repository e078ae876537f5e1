import { expect, it } from "vitest";
import type { Tool } from "../../../engine/tool/tool.ts";
import { callerFields, filledText } from "./caller-fields.ts";

const tool = (extra: Partial<Tool>): Tool => ({
  name: "send",
  description: "Sends.",
  parameters: { type: "object", properties: { to: {}, body: {}, url: {} } },
  approval: "ask-after-untrusted",
  execute: () => Promise.resolve({ ok: true, output: null }),
  ...extra,
});

it("offers the arguments for which a tool asks, and says of which only addresses count", () => {
  expect(callerFields(tool({ content: ["body"] }))).toEqual([
    { name: "to", decidesByAddress: false },
    { name: "body", decidesByAddress: true },
    { name: "url", decidesByAddress: false },
  ]);
  expect(callerFields(tool({ readOnly: true })).map(({ name }) => name)).toEqual(["url"]);
});

it("offers nothing of a tool that asks always, once or never", () => {
  for (const approval of ["ask", "once", "never"] as const) expect(callerFields(tool({ approval }))).toEqual([]);
});

it("says what callers may fill in, tool by tool", () => {
  const callers = { book: { definition: "d", arguments: ["day", "email"] } };
  expect(filledText({ callers })).toEqual(["day and email of book"]);
  expect(filledText({})).toEqual([]);
});
