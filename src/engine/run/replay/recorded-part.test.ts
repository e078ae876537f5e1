import { describe, expect, it } from "vitest";
import { collectRun, endOf, ofType, startedNodes } from "../../testing/collect-run.ts";
import { sampleDocument, sampleRegistry } from "../../testing/sample-nodes.ts";
import type { RunEvent } from "../events.ts";
import { EventMask } from "../privacy/event-mask.ts";
import { recordedPart } from "./recorded-part.ts";
import { recordingOf } from "./recording.ts";

const document = sampleDocument(
  { start: "start", a: ["step", { value: "a" }], b: ["step", { value: "{{[json, a]}}" }], c: "step", d: "step" },
  ["start>a", "a>b", "b>c", "c>d"],
);

const part = { startNodeId: "b", stopAfterNodeId: "c", pinned: { a: "before" } };

const partOf = (events: readonly RunEvent[]) => recordedPart(events, document, sampleRegistry);

describe("the part that a recorded run took", () => {
  it("is run again by a replay, and by a replay of that", async () => {
    let events = await collectRun(document, "typed", part);
    for (let round = 0; round < 2; round += 1) {
      const again = partOf(events);
      expect(again).toEqual(part);
      const replay = { recording: recordingOf(events, document), until: 0 };
      events = await collectRun(document, "typed", { ...again, replay });
      expect(startedNodes(events)).toEqual(["b", "c"]);
      expect(endOf(events).output).toEqual(["typed", "before"]);
    }
  });

  it("is all of the workflow where the run began at a trigger, and unknown where an older run did not", async () => {
    expect(partOf(await collectRun(document))).toEqual({});
    const older = (await collectRun(document, "typed", part)).map((event) => {
      const copy = { ...event };
      if (copy.type === "run-start") delete copy.part;
      return copy;
    });
    expect(partOf(older)).toBeUndefined();
    expect(partOf([])).toEqual({});
  });

  it("is stored without what the workflow masks", async () => {
    const pinned = { a: { mail: "ann@example.org" }, "an@b.example": 1 };
    const mask = new EventMask({ mask: ["emails"], patterns: [] });
    const stored = (await collectRun(document, "typed", { ...part, pinned })).flatMap((event) => mask.take(event));
    expect(JSON.stringify(ofType(stored, "run-start"))).not.toContain("ann@");
    // Ids stay, or no node would find its output.
    expect(partOf(stored)).toMatchObject({ startNodeId: "b", pinned: { "an@b.example": 1 } });
  });
});
