import { describe, expect, it } from "vitest";
import { boundedCheck, isHarmless } from "../../src/engine/json-schema/bounded-check.ts";
import type { Json, JsonSchema } from "../../src/engine/json.ts";
import { checkSchemaInThread } from "./check-schema.ts";

/** References that double at each step: two to the power of `depth` checks of one small value. */
function doubling(depth: number): JsonSchema {
  const step = (index: number): Json => ({ allOf: [{ $ref: `#/$defs/s${index}` }, { $ref: `#/$defs/s${index}` }] });
  const steps = Array.from({ length: depth }, (_, index): [string, Json] => [`s${index + 1}`, step(index)]);
  return { $ref: `#/$defs/s${depth}`, $defs: { s0: { type: "object" }, ...Object.fromEntries(steps) } };
}

const distinct = { type: "object", properties: { list: { type: "array", uniqueItems: true } } };
const numbers = (count: number): Json => ({ list: Array.from({ length: count }, (_, index) => [index, "x"]) });

const signal = () => new AbortController().signal;
const host = { checkSchema: checkSchemaInThread };

describe("S72 checks by JSON Schema in a thread of their own", () => {
  it("are stopped where a small schema asks for endless work, and the next check works", async () => {
    let ticks = 0;
    const clock = setInterval(() => (ticks += 1), 10);
    const verdict = await boundedCheck(host, doubling(40), signal)({});
    clearInterval(clock);
    expect(verdict).toMatchObject({ ok: false, reason: expect.stringContaining("took longer than 3 s") });
    // The thread of the caller went on meanwhile.
    expect(ticks).toBeGreaterThan(10);
    expect(await boundedCheck(host, doubling(3), signal)({})).toEqual({ ok: true });
    expect(await boundedCheck(host, doubling(3), signal)("text")).toMatchObject({ ok: false });
  });

  it("are stopped where each item is compared with each other", async () => {
    expect(await boundedCheck(host, distinct, signal)(numbers(60_000))).toMatchObject({
      ok: false,
      reason: expect.stringContaining("Send smaller"),
    });
  });

  it("end with the run that asked for them", async () => {
    const stop = new AbortController();
    const verdict = boundedCheck(host, doubling(40), () => stop.signal)({});
    setTimeout(() => stop.abort(new Error("stopped")), 200);
    await expect(verdict).rejects.toThrow("stopped");
    expect(await boundedCheck(host, doubling(2), signal)({})).toEqual({ ok: true });
  });

  it("answer several callers, each with its own verdict", async () => {
    const check = boundedCheck(host, doubling(2), signal);
    const verdicts = await Promise.all([check({}), check(1), check({ a: 1 }), check("x")]);
    expect(verdicts.map(({ ok }) => ok)).toEqual([true, false, true, false]);
  });

  it("refuse what is too large to be handed over", async () => {
    const value = { text: "x".repeat(21_000_000) };
    expect(await boundedCheck(host, { type: "object" }, signal)(value)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("too large"),
    });
  });
});

describe("S72 what may be checked at once", () => {
  const plain = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

  it.each<[string, boolean, JsonSchema, Json]>([
    ["an ordinary call", true, plain, { name: "Ada" }],
    ["a long text", true, plain, { name: "x".repeat(100_000) }],
    ["a small list of distinct items", true, distinct, numbers(20)],
    ["a large list of distinct items", false, distinct, numbers(2_000)],
    ["a pattern on a long text", false, { properties: { name: { pattern: "^a" } } }, { name: "a".repeat(5_000) }],
    ["references", false, doubling(1), {}],
    ["a large schema on a large value", false, { enum: Array.from({ length: 2_000 }, String) }, numbers(10_000)],
  ])("%s: %s", (_what, harmless, schema, value) => {
    expect(isHarmless({ schema, value })).toBe(harmless);
  });
});
