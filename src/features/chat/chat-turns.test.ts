import { expect, it } from "vitest";
import { emptyRunState, type NoteStep, type RunState } from "../../engine/run/run-state.ts";
import { turnsAfter } from "./chat-turns.ts";

function turn(savedAt: number | null): RunState {
  const use = { nodeId: "agent", memoryNodeId: "memory", edgeId: "e", session: "s" };
  const event = {
    runId: "r",
    seq: 1,
    at: savedAt ?? 0,
    type: "memory-save",
    messages: 2,
    durationMs: 1,
    ...use,
  } as const;
  const save: NoteStep = { kind: "note", id: "save", nodeId: "agent", startedAt: 0, event };
  return { ...emptyRunState("r"), steps: savedAt === null ? [] : [save] };
}

it("a memory that is read anew brings the turns that it holds; the others stay as they are", () => {
  const runs = { old: turn(10), unsaved: turn(null), running: turn(null), late: turn(30) };
  const past = {
    away: { input: null, output: null, rememberedAt: 5 },
    unkept: { input: null, output: null, rememberedAt: null },
  };
  const all = ["away", "unkept", "old", "unsaved", "running", "late"];
  expect(turnsAfter(all, { runs, past }, 20)).toEqual(["unkept", "unsaved", "running", "late"]);
  expect(turnsAfter(all, { runs, past }, 0)).toEqual(all);
});
