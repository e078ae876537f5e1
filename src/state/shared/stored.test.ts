import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod/mini";
import { listOf, stored, storedText } from "./stored.ts";

const size = stored("switchyard:size", z.object({ width: z.number(), open: z.catch(z.boolean(), false) }));

describe("in a browser with storage", () => {
  let kept: Map<string, string>;

  beforeEach(() => {
    kept = new Map();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  test("a value comes back until it is removed", () => {
    expect(size.read()).toBe(null);
    expect(size.write({ width: 3, open: true })).toBe(true);
    expect(size.read()).toEqual({ width: 3, open: true });
    size.remove();
    expect(size.read()).toBe(null);
  });

  test("what an older version kept is mended where the schema says how, and else left alone", () => {
    kept.set("switchyard:size", '{"width":3,"open":"yes"}');
    expect(size.read()).toEqual({ width: 3, open: false });
    for (const text of ['{"width":"wide"}', "{", "null"]) {
      kept.set("switchyard:size", text);
      expect(size.read(), text).toBe(null);
    }
  });

  test("of a list what fits stays", () => {
    kept.set("switchyard:ids", '["a",1,null,"b"]');
    expect(stored("switchyard:ids", listOf(z.string())).read()).toEqual(["a", "b"]);
  });

  test("a text is kept as it is", () => {
    storedText("switchyard:clip").write('{"nodes"');
    expect(kept.get("switchyard:clip")).toBe('{"nodes"');
    expect(storedText("switchyard:clip").read()).toBe('{"nodes"');
  });
});

test("where nothing may be stored, nothing is kept and nothing fails", () => {
  vi.stubGlobal("localStorage", undefined);
  expect(size.write({ width: 3, open: true })).toBe(false);
  expect(size.read()).toBe(null);
  size.remove();
  vi.unstubAllGlobals();
});
