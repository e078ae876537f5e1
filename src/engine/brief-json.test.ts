import { expect, it } from "vitest";
import type { Json } from "./json.ts";
import { briefJson } from "./brief-json.ts";

it("is the JSON of a small value, and a text as it is", () => {
  for (const value of [{ a: [1, "two", null, { b: true }], 'q"': "x\ny" }, [], {}, 3, null, [[], [{}]]] as Json[]) {
    expect(briefJson(value, 500)).toBe(JSON.stringify(value));
  }
  expect(briefJson('say "hi"', 500)).toBe('say "hi"');
});

it("begins like the JSON of a huge value, and reads no more of it than it shows", () => {
  const value: Json = { list: Array.from({ length: 1_000 }, (_, index) => ({ index, text: "x".repeat(1_000) })) };
  expect(briefJson(value, 100)).toBe(`${JSON.stringify(value).slice(0, 100)}…`);
  const trapped = new Proxy([1, 2, 3] as Json[], {
    get: (target, key, receiver) => {
      if (key === "2") throw new Error("read too far");
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  expect(briefJson(["y".repeat(50), trapped], 20)).toBe(`["${"y".repeat(18)}…`);
});

it("cuts no character in half", () => {
  expect(briefJson("🙂🙂🙂", 3)).toBe("🙂…");
});
