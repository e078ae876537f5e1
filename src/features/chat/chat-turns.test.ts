import { expect, it } from "vitest";
import { userMessage } from "../../engine/model/message.ts";
import { emptyRunState, type NoteStep, type RunState } from "../../engine/run/run-state.ts";
import { readEarlier, turnsAfter } from "./chat-turns.ts";

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

it("a memory is read again where a turn was saved while it was read, which may be among the messages or not", async () => {
  const memory = [userMessage("before")];
  const held = { runs: { asked: turn(null) }, past: {} };
  let now = 10;
  let reads = 0;
  const read = async () => {
    reads += 1;
    if (reads === 1) {
      memory.push(userMessage("asked"));
      held.runs.asked = turn(15);
    }
    now += 10;
    return { messages: [...memory], runs: [] };
  };
  const ownTurns = () => ({ turns: ["asked"], held });
  const earlier = await readEarlier(read, ownTurns, () => now);
  expect(earlier).toEqual({ messages: memory, runs: [], readAt: 20 });
  // The turn comes from the memory, and only from there.
  expect(turnsAfter(["asked"], held, earlier.readAt)).toEqual([]);
  await readEarlier(read, ownTurns, () => now);
  expect(reads).toBe(3);
});
