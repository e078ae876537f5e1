import { describe, expect, it } from "vitest";
import { approveTools } from "./approve-tools.ts";
import { longestPin, mostPinned } from "./pin-limits.ts";
import { reviewTools } from "./review-tools.ts";
import { type McpTool, pinnedTool, textPin, toolPin } from "./tool-pin.ts";

const toolOf = (name: string, description = "Does."): McpTool => ({
  name,
  description,
  inputSchema: { type: "object", properties: { b: { type: "string" }, a: { constructor: 1 } } },
});

const review = (tools: readonly McpTool[], pins: Record<string, string> = {}) =>
  reviewTools(tools, { serverName: "shop", include: [], exclude: [], pins });

describe("approving tools", () => {
  it("S50 keeps what was approved, and tells it when the server changes it", () => {
    const [one] = review([toolOf("one")]);
    const pins = approveTools({ other: "kept" }, [], one ? [one] : []);
    expect(Object.keys(pins)).toEqual(["other", "one"]);
    expect(pins["other"]).toBe("kept");
    expect(review([toolOf("one")], pins)[0]).toMatchObject({ approval: "approved" });
    expect(review([toolOf("one", "Does harm.")], pins)[0]).toMatchObject({
      approval: "changed",
      agreed: toolOf("one"),
    });
  });

  it("S50 adds the text of what was approved by hash alone, but not of what changed since", () => {
    const before = { same: toolPin(toolOf("same")), other: toolPin(toolOf("other", "Was.")) };
    const listed = review([toolOf("same"), toolOf("other"), toolOf("new")], before);
    const pins = approveTools(before, listed, listed.slice(2));
    expect(pins).toEqual({ same: textPin(toolOf("same")), other: before.other, new: textPin(toolOf("new")) });
  });

  it("S50 keeps the hash alone of a tool that says too much of itself, and of many once they are full", () => {
    const [long] = review([toolOf("long", "x".repeat(longestPin))]);
    expect(approveTools({}, [], long ? [long] : [])).toEqual({ long: long && toolPin(long.tool) });

    const many = review(Array.from({ length: 30 }, (_, index) => toolOf(`t${index}`, "x".repeat(5_000))));
    const pins = approveTools({}, many, many);
    const whole = Object.entries(pins).filter(([name, pin]) => pinnedTool(pin, name) !== undefined);
    expect(whole).toHaveLength(19);
    expect(Object.values(pins).join("").length).toBeLessThan(mostPinned + 64 * 30);
    expect(
      review(
        many.map(({ tool }) => tool),
        pins,
      ).every(({ approval }) => approval === "approved"),
    ).toBe(true);
    expect(approveTools(pins, [], many)).toEqual(pins);
  });
});

describe("a pin with its text", () => {
  it("S50 gives the tool that it was made of, under its own name only", () => {
    const pin = textPin(toolOf("one"));
    expect(pinnedTool(pin, "one")).toEqual(toolOf("one"));
    expect(pinnedTool(pin, "two")).toBeUndefined();
  });

  it("S50 gives nothing when the text is not what was approved, or there is none", () => {
    const pin = textPin(toolOf("one"));
    expect(pinnedTool(pin.replace("Does", "Done"), "one")).toBeUndefined();
    expect(pinnedTool(toolPin(toolOf("one")), "one")).toBeUndefined();
    expect(pinnedTool("", "one")).toBeUndefined();
  });

  it("S50 gives nothing when what has the right hash is no tool", () => {
    // SHA-256 of `no JSON` and of `[1]`.
    for (const text of ["no JSON", "[1]"]) {
      const hash = hashes[text] ?? "";
      expect(pinnedTool(`${text} ${hash}`, "one")).toBeUndefined();
    }
  });
});

const hashes: Record<string, string> = {
  "no JSON": "29ecbeb830e3244605e5a88493e4088424a71780e5cf59bb3475f278f294335b",
  "[1]": "080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22",
};
