import { describe, expect, it } from "vitest";
import { sampleRegistry } from "../testing/sample-nodes.ts";
import { documentLimits, readDocument } from "./read-document.ts";

const problemsOf = (value: unknown) => {
  const result = readDocument(value);
  return result.ok ? [] : result.problems;
};

describe("readDocument", () => {
  it("accepts a hand-written workflow with lists and fills in what is missing", () => {
    const result = readDocument(
      {
        name: "By hand",
        nodes: [
          { id: "start", type: "start" },
          { id: "step", type: "step", config: { value: 1 } },
        ],
        edges: [{ from: { node: "start", port: "main" }, to: { node: "step", port: "main" } }],
      },
      sampleRegistry,
      () => "new-id",
    );
    expect(result).toMatchObject({
      ok: true,
      notes: [],
      document: {
        schemaVersion: 1,
        id: "new-id",
        nodes: { start: { title: "Start", version: 1, config: {} }, step: { config: { value: 1 } } },
        edges: { "edge-1": { from: { node: "start", port: "main" }, to: { node: "step", port: "main" } } },
      },
    });
  });

  it("keeps nodes of unknown type with their data, and says so", () => {
    const result = readDocument({ nodes: { x: { type: "teleport", config: { to: "moon" } } } }, sampleRegistry);
    expect(result).toMatchObject({
      ok: true,
      document: { nodes: { x: { type: "teleport", config: { to: "moon" } } } },
    });
    expect(result.ok && result.notes.join()).toContain("teleport");
  });

  it("brings an old node config up to date", () => {
    const base = sampleRegistry.step;
    if (!base) throw new Error("The sample registry has a step.");
    const registry = { step: { ...base, version: 2, migrate: () => ({ value: "new" }) } };
    const result = readDocument({ nodes: { s: { type: "step", version: 1, config: { old: true } } } }, registry);
    expect(result).toMatchObject({ ok: true, document: { nodes: { s: { version: 2, config: { value: "new" } } } } });
  });

  it("refuses a newer schema", () => {
    expect(problemsOf({ schemaVersion: 99, nodes: {} }).join()).toContain("newer");
  });

  it("S31 refuses prototype keys at any depth", () => {
    for (const key of ["__proto__", "constructor", "prototype"]) {
      const deep = JSON.parse(`{"nodes":{"a":{"type":"step","config":{"x":[{"y":{"${key}":{"bad":1}}}]}}}}`);
      expect(problemsOf(deep).join()).toContain(key);
      expect(problemsOf(JSON.parse(`{"nodes":{"${key}":{"type":"step"}}}`)).join()).toContain(key);
    }
    expect(Object.hasOwn(Object.prototype, "bad")).toBe(false);
  });

  it("S32 names what is oversized, deep, cyclic, duplicate, dangling or not a number", () => {
    const node = { a: { type: "step" }, b: { type: "step" } };
    const edge = { from: { node: "a", port: "main" }, to: { node: "b", port: "main" } };
    const cyclic: Record<string, unknown> = { nodes: {} };
    cyclic.self = cyclic;
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(problemsOf({ nodes: node, edges: { e: edge, f: edge } }).join()).toContain("same two ports");
    expect(
      problemsOf({
        nodes: [
          { id: "a", type: "x" },
          { id: "a", type: "x" },
        ],
      }).join(),
    ).toContain("Two nodes");
    const dangling = { e: { from: { node: "a", port: "main" }, to: { node: "gone", port: "main" } } };
    expect(problemsOf({ nodes: node, edges: dangling }).join()).toContain('"gone"');
    expect(problemsOf({ nodes: { a: { type: "step", config: { x: Number.NaN } } } }).join()).toContain("NaN");
    expect(problemsOf(cyclic).join()).toContain("contains itself");
    expect(problemsOf({ nodes: { a: { type: "step", config: { deep } } } }).join()).toContain("levels");
    expect(problemsOf({ note: "x".repeat(documentLimits.characters + 1) }).join()).toContain("million");
    const many = Array.from({ length: documentLimits.nodes + 1 }, (_, index) => ({ id: `n${index}`, type: "step" }));
    expect(problemsOf({ nodes: many }).join()).toContain("limit is 2000");
    expect(problemsOf([]).join()).toContain("JSON object");
    expect(problemsOf({ nodes: 3 }).join()).toContain('"nodes"');
  });

  it("S36 keeps titles and notes as plain text", () => {
    const title = '<img src=x onerror="alert(1)">';
    const result = readDocument({ nodes: { a: { type: "step", title, notes: title } } });
    expect(result).toMatchObject({ ok: true, document: { nodes: { a: { title, notes: title } } } });
  });
});
