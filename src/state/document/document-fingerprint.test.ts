import { describe, expect, it } from "vitest";
import { newDocument } from "../../engine/document/new-document.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { fingerprintOf } from "./document-fingerprint.ts";

const base = newDocument("w1", "Workflow");

/** With one node after the other renamed, moved and set otherwise. */
function states(count: number): WorkflowDocument[] {
  return Array.from({ length: count }, (_, index) => ({
    ...base,
    name: `Workflow ${Math.floor(index / 100)}`,
    nodes: {
      n1: {
        id: "n1",
        type: "manual-trigger",
        version: 1,
        title: "Start",
        position: { x: index % 10, y: Math.floor(index / 10) % 10 },
        config: {},
      },
    },
  }));
}

describe("the fingerprint of a document", () => {
  it("is the same whatever the order of its keys", () => {
    const { name, nodes, ...rest } = base;
    expect(fingerprintOf({ nodes, name, ...rest })).toBe(fingerprintOf(base));
  });

  it("differs for states that differ little", () => {
    const all = states(20_000);
    expect(new Set(all.map(fingerprintOf)).size).toBe(all.length);
  });

  it("differs for texts whose characters only changed places", () => {
    const names = ["ab", "ba", "a b", "b a", "0", "00"];
    expect(new Set(names.map((name) => fingerprintOf({ ...base, name }))).size).toBe(names.length);
  });
});
