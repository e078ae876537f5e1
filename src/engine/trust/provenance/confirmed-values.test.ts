import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import type { ConfirmedValue } from "./confirmed-values.ts";
import { Provenance } from "./provenance.ts";
import type { JudgedTool } from "./verdict.ts";

const properties = {
  to: { type: "array" },
  message: { type: "object", properties: { to: {}, cc: {} } },
  id: {},
  body: {},
};
const send: JudgedTool = { name: "send", parameters: { type: "object", properties }, acts: true, content: ["body"] };

function knowing(...values: ConfirmedValue[]): Provenance {
  const provenance = new Provenance();
  provenance.add("outside", "Write to ann@home.example and bob@home.example. See https://home.example/a. Number 42.");
  for (const value of values) provenance.confirm(value);
  return provenance;
}
const asks = (provenance: Provenance, input: JsonObject, tool = send) => provenance.judge(tool, input).asks;
const ann = { tool: "send", value: "ann@home.example" };

describe("S100 a confirmed value", () => {
  it("counts in a list and at the path that it was confirmed for, and nowhere else", () => {
    const known = knowing({ ...ann, argument: "to" }, { ...ann, argument: "message.to" });
    expect(asks(known, { to: ["ann@home.example"] })).toBe(false);
    expect(asks(known, { to: ["ann@home.example", "bob@home.example"] })).toBe(true);
    expect(asks(known, { message: { to: "ann@home.example" } })).toBe(false);
    expect(asks(known, { message: { cc: "ann@home.example" } })).toBe(true);
    expect(asks(known, { id: "ann@home.example" })).toBe(true);
    expect(asks(known, { to: ["ann@home.example"] }, { ...send, name: "forward" })).toBe(true);
  });

  it("counts as a number or as its digits, and only as a whole; the case of an address makes no difference", () => {
    const known = knowing({ tool: "send", argument: "id", value: 42 }, { ...ann, argument: "to" });
    expect([42, "42", 420, "42 "].map((id) => asks(known, { id }))).toEqual([false, false, true, false]);
    expect(asks(known, { to: ["Ann@Home.example"] })).toBe(false);
    expect(asks(known, { to: ["ann@home.example, bob@home.example"] })).toBe(true);
  });

  it("is no name of a member, and counts as a link in a text only where it was confirmed for it", () => {
    const known = knowing({ ...ann, argument: "message" });
    expect(asks(known, { message: { "ann@home.example": "ann@home.example" } })).toBe(true);
    const body = { body: "Look at https://home.example/a" };
    expect(asks(knowing({ tool: "send", argument: "to", value: "https://home.example/a" }), body)).toBe(true);
    expect(asks(knowing({ tool: "send", argument: "body", value: "https://home.example/a" }), body)).toBe(false);
  });

  it("is not handed to a helper agent, whose tools of the same name may be others", () => {
    const caller = knowing({ ...ann, argument: "to" });
    expect(asks(new Provenance({ caller }), { to: ["ann@home.example"] })).toBe(true);
  });
});
