import { describe, expect, it } from "vitest";
import { collectRun, endOf } from "../testing/collect-run.ts";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";
import { prepareRun } from "./prepare-run.ts";

const chain = () => sampleDocument({ start: "start", a: ["step", { value: "{{[json, 1]}}" }] }, ["start>a"]);

describe("the preparation of a run", () => {
  it("is done once for a frozen document, and its runs do not disturb each other", async () => {
    const document = chain();
    Object.freeze(document.nodes);
    Object.freeze(document);
    expect(prepareRun(document, sampleRegistry)).toBe(prepareRun(document, sampleRegistry));
    expect(prepareRun(document, { ...sampleRegistry })).not.toBe(prepareRun(document, sampleRegistry));
    const ends = await Promise.all([1, 2, 3].map(async (input) => endOf(await collectRun(document, input)).output));
    expect(ends).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  it("sees every change of a document that may change", async () => {
    const document = chain();
    expect(endOf(await collectRun(document, 0)).output).toEqual([0, 1]);
    Object.assign(document.nodes.a?.config ?? {}, { value: "other" });
    expect(endOf(await collectRun(document, 0)).output).toBe("other");
  });
});
