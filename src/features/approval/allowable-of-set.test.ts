import { expect, it } from "vitest";
import type { Allowable, AllowedValue } from "../../engine/trust/allowed-values.ts";
import { allowableOfSet } from "./allowable-of-set.ts";

const to = (value: string): AllowedValue => ({
  nodeId: "mail",
  toolName: "send",
  definition: "d",
  path: ["to"],
  value,
});

function callTo(values: string[], { isAll = true, workflowId = "w" }: Partial<Allowable> = {}) {
  return { request: { allowable: { workflowId, values: values.map(to), isAll } } };
}

const all = () => true;

it("offers each value of a set once, in its order, and says whether others remain", () => {
  const calls = [callTo(["ann", "bob"]), callTo(["bob", "eve"])];
  expect(allowableOfSet(calls, all)).toEqual({ workflowId: "w", values: ["ann", "bob", "eve"].map(to), isAll: true });
  const some = [...calls, callTo(["eve"], { isAll: false })];
  expect(allowableOfSet(some, all)?.isAll).toBe(false);
  expect(allowableOfSet([...calls, { request: {} }], all)?.isAll).toBe(false);
});

it("keeps a value the same while calls are struck out, and offers nothing that only those have", () => {
  const calls = [callTo(["ann", "bob"]), callTo(["bob"])];
  const [, last] = calls;
  const whole = allowableOfSet(calls, all);
  const rest = allowableOfSet(calls, (call) => call === last);
  expect(rest?.values).toEqual([to("bob")]);
  expect(rest?.values[0]).toBe(whole?.values[1]);
  expect(allowableOfSet(calls, () => false)).toBeUndefined();
});

it("offers nothing where nothing may be allowed, or the calls are of several workflows", () => {
  expect(allowableOfSet([{ request: {} }], all)).toBeUndefined();
  expect(allowableOfSet([callTo(["ann"]), callTo(["ann"], { workflowId: "other" })], all)).toBeUndefined();
});
