import { expect, it } from "vitest";
import type { Tool } from "../../../engine/tool/tool.ts";
import { callerTerms } from "../../../engine/trust/caller-terms.ts";
import { callerFields, filledTools } from "./caller-fields.ts";

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

it("says what callers may fill in, tool by tool, and which tools have changed since or are gone", () => {
  const book = tool({ name: "book" });
  const callers = {
    ...callerTerms([{ tool: book, arguments: ["to", "body"] }]),
    cancel: { definition: "d", arguments: ["id"] },
  };
  const filled = (tools?: Tool[]) => filledTools({ callers }, tools).map(({ text, isOutdated }) => [text, isOutdated]);
  expect(filled([book])).toEqual([
    ["body and to of book", false],
    ["id of cancel", true],
  ]);
  expect(filled([{ ...book, description: "Books, and pays." }])[0]).toEqual(["body and to of book", true]);
  expect(filled().map(([, isOutdated]) => isOutdated)).toEqual([false, false]);
  expect(filledTools({})).toEqual([]);
});
