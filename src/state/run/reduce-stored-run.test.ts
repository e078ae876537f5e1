import { describe, expect, it } from "vitest";
import type { RunEvent, RunEventBody } from "../../engine/run/events.ts";
import { reduceRunAll } from "../../engine/run/reduce-run.ts";
import { emptyRunState } from "../../engine/run/run-state.ts";
import { numberEvents } from "../../engine/testing/run-events.ts";
import { reduceStoredRun, settleStoredRun } from "./reduce-stored-run.ts";

const start: RunEventBody = { type: "run-start", workflowId: "w", workflowName: "W", input: {} };

function longRun(): RunEvent[] {
  const lines = Array.from({ length: 2_000 }, (_, index): RunEventBody => {
    return { type: "log", level: "info", message: `line ${index}` };
  });
  return numberEvents("r", [start, { type: "node-start", nodeId: "agent", input: {} }, ...lines]);
}

describe("a stored run", () => {
  it("is reduced as at once, with a pause for the page every few hundred events", async () => {
    const events = longRun();
    let pauses = 0;
    const state = await reduceStoredRun({ id: "r", status: "running" }, events, async () => {
      pauses += 1;
    });
    expect(state).toEqual(reduceRunAll(emptyRunState("r"), events));
    expect(pauses).toBeGreaterThan(4);
    expect(pauses).toBeLessThan(50);
  });

  it("S58 that was cut short says so", async () => {
    const state = await reduceStoredRun({ id: "r", status: "interrupted" }, longRun());
    expect(state).toMatchObject({ status: "interrupted", nodes: { agent: { status: "failed" } } });
    expect(state.error?.message).toContain("interrupted");
  });

  it("that ended without an event of its end stands as its row says", async () => {
    const error = { code: "invalid_config", message: "It cannot be read.", hint: "", retryable: false } as const;
    const failed = await reduceStoredRun({ id: "r", status: "failed", error }, []);
    expect(failed).toMatchObject({ status: "failed", error });
    expect(await reduceStoredRun({ id: "r", status: "cancelled" }, longRun())).toMatchObject({ status: "cancelled" });
  });

  it("that nobody works on now says why, until somebody does", async () => {
    const waiting = await reduceStoredRun({ id: "r", status: "waiting" }, longRun());
    expect(waiting).toMatchObject({ status: "running", idle: "waiting" });
    expect(settleStoredRun(waiting, { status: "waiting" })).toBe(waiting);
    expect(settleStoredRun(waiting, { status: "queued" })).toMatchObject({ idle: "queued" });
    expect(settleStoredRun(waiting, { status: "running" }).idle).toBeUndefined();
    expect(settleStoredRun(waiting, { status: "cancelled" })).toMatchObject({ status: "cancelled" });
    expect(settleStoredRun(waiting, { status: "cancelled" }).idle).toBeUndefined();
  });
});
