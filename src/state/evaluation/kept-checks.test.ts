import { expect, it } from "vitest";
import type { Decision } from "../../evaluation/steps/decision.ts";
import type { Sample } from "../../evaluation/steps/sample-call.ts";
import type { BrowserTable } from "../../services/services.ts";
import { addSample, beginCheck, decisionChecks, endCheck } from "./decision-checks.ts";
import { createKeptChecks, type KeptCheck } from "./kept-checks.ts";

/** A browser's table, whose rows go through the same copy as there. */
function tableOf(rows: Map<string, KeptCheck>): BrowserTable<KeptCheck> {
  return {
    put: async (row) => rows.set(row.id, structuredClone(row)).has(row.id),
    get: async (id) => rows.get(id),
    all: async () => [...rows.values()],
    remove: async (id) => void rows.delete(id),
    clear: async () => rows.clear(),
  };
}

const recorded: Decision = { key: "answer", calls: [] };
const sample: Sample = { ok: true, decision: recorded, text: "84", costUsd: 0 };
const calls = [{ callId: "c1", nodeId: "agent", recorded, costUsd: 0 }];
const begin = (runId: string, isKept = true) =>
  beginCheck(runId, { status: "running", calls, trials: 3, samples: {}, isKept, stop: () => {} });
/** The writes of what was told so far are over. */
const written = () => new Promise((resolve) => setTimeout(resolve));

it("keeps what a check found, also of one that was under way, and gives it to the next tab", async () => {
  const rows = new Map<string, KeptCheck>();
  const kept = createKeptChecks(tableOf(rows));
  begin("run-1");
  addSample("run-1", "c1", sample);
  await written();
  expect(rows.get("run-1")).toMatchObject({ status: "stopped", samples: { c1: [{ decision: recorded }] } });
  endCheck("run-1", "complete");
  await written();
  expect(rows.get("run-1")).toMatchObject({ status: "complete" });

  // As another tab left it.
  const left = rows.get("run-1");
  if (left) rows.set("run-2", { ...left, id: "run-2" });
  await kept.load("run-2");
  expect(decisionChecks.getState().checks["run-2"]).toMatchObject({
    status: "complete",
    samples: { c1: [{ ok: true }] },
  });
  await kept.load("run-3");
  expect(decisionChecks.getState().checks).not.toHaveProperty("run-3");
  // One that goes on here is newer than what is kept.
  begin("run-2");
  await kept.load("run-2");
  expect(decisionChecks.getState().checks["run-2"]?.status).toBe("running");
});

it("keeps nothing of a workflow that masks what is said, and only so many checks", async () => {
  const rows = new Map<string, KeptCheck>();
  createKeptChecks(tableOf(rows));
  begin("masked", false);
  endCheck("masked", "complete");
  await written();
  expect(rows.size).toBe(0);
  for (let count = 0; count < 55; count += 1) {
    begin(`many-${count}`);
    endCheck(`many-${count}`, "complete");
    await written();
  }
  expect(rows.size).toBe(50);
});
