import { describe, expect, it } from "vitest";
import type { Json } from "../../engine/json.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { ReplayOptions } from "../../engine/run/replay/replay-options.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

/** How often each event target was listened to while `work` went on. */
async function listenersDuring(work: () => Promise<unknown>): Promise<Map<EventTarget, number>> {
  const counts = new Map<EventTarget, number>();
  const original = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function counted(...args: Parameters<typeof original>) {
    counts.set(this, (counts.get(this) ?? 0) + 1);
    return Reflect.apply(original, this, args);
  };
  try {
    await work();
  } finally {
    EventTarget.prototype.addEventListener = original;
  }
  return counts;
}

/** Rows of cells, each through a code node that doubles it and says so in the log. */
function table({ rows = 20, cells = 3 } = {}) {
  const codes: Json[] = [];
  const host = testHost({
    runCode: ({ args }) => {
      codes.push(args["json"] ?? null);
      return Promise.resolve({ ok: true, output: Number(args["json"]) * 2, logs: [`saw ${String(args["json"])}`] });
    },
  });
  const document = sampleDocument(
    {
      start: "manual-trigger",
      rows: ["for-each", { concurrency: rows }],
      cells: ["for-each", { concurrency: cells }],
      cell: ["code", { code: "return json * 2" }],
    },
    ["start>rows", "rows>cells", "cells>cell"],
    nodeRegistry,
  );
  const input = Array.from({ length: 30 }, (_, row) => [row, row + 100]);
  const run = (replay?: ReplayOptions) =>
    runToEnd(document, { registry: nodeRegistry, host, input, ...(replay ? { replay } : {}) });
  return { run, codes };
}

const saidBy = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === "log" ? [`${event.item}: ${event.message}`] : [])).toSorted();

describe("many items of a for-each", () => {
  it("are served from a recording, each with what happened in it and nothing else", async () => {
    const { events, end } = await table().run();
    expect(end.output).toEqual(Array.from({ length: 30 }, (_, row) => [row * 2, (row + 100) * 2]));
    const again = table();
    const replayed = await again.run({ recording: recordingOf(events) });
    expect(again.codes).toEqual([]);
    expect(replayed.end.output).toEqual(end.output);
    expect(saidBy(replayed.events)).toEqual(saidBy(events));
    expect(saidBy(events)).toHaveLength(60);
  });

  it("are served from an older recording, which does not say in which row a cell was", async () => {
    const oneByOne = { rows: 1, cells: 1 };
    const { events, end } = await table(oneByOne).run();
    expect(events.some((event) => event.outerItems !== undefined)).toBe(true);
    const older = events.map(({ outerItems: _outer, ...event }): RunEvent => event);
    const again = table(oneByOne);
    expect((await again.run({ recording: recordingOf(older) })).end.output).toEqual(end.output);
    expect(again.codes).toEqual([]);
  });

  it("run from the fork point on, and only from there", async () => {
    const { events } = await table().run();
    const starts = events.filter((event) => event.type === "node-start" && event.nodeId === "cell");
    const cut = starts[40];
    const again = table();
    await again.run({ recording: recordingOf(events), until: cut?.seq ?? 0 });
    const after = starts.slice(40).map((event) => (event.type === "node-start" ? event.input : null));
    expect(again.codes.toSorted()).toEqual(after.toSorted());
  });

  it("let no listener pile up on the run's signal", async () => {
    const bySignal = await listenersDuring(() => table().run());
    expect(bySignal.size).toBeGreaterThan(30);
    expect(Math.max(...bySignal.values())).toBeLessThan(5);
  });
});

describe("the turns of a repeat", () => {
  it("are served from a recording, each with its own, and go on where the recording ends", async () => {
    const asked: Json[] = [];
    const host = testHost({
      runCode: ({ args }) => {
        asked.push(args["json"] ?? null);
        return Promise.resolve({ ok: true, output: Number(args["json"]) + 1, logs: [] });
      },
    });
    const document = sampleDocument(
      {
        start: "manual-trigger",
        again: ["repeat", { until: "{{json >= 5}}" }],
        add: ["code", { code: "return json" }],
      },
      ["start>again", "again>add"],
      nodeRegistry,
    );
    const run = (replay?: ReplayOptions) =>
      runToEnd(document, { registry: nodeRegistry, host, input: 0, ...(replay ? { replay } : {}) });
    const { events, end } = await run();
    expect(end.output).toBe(5);
    expect(asked).toEqual([0, 1, 2, 3, 4]);
    asked.length = 0;
    expect((await run({ recording: recordingOf(events) })).end.output).toBe(5);
    expect(asked).toEqual([]);
    // A run that broke off in its third turn.
    const third = events.findIndex(
      (event) => event.type === "node-start" && event.nodeId === "add" && event.item === 2,
    );
    const resumed = await run({ recording: recordingOf(events.slice(0, third)) });
    expect(resumed.end.output).toBe(5);
    expect(asked).toEqual([2, 3, 4]);
  });
});
