import { describe, expect, it } from "vitest";
import type { Json } from "../../engine/json.ts";
import type { RunEventBody } from "../../engine/run/events.ts";
import { reduceRunAll } from "../../engine/run/reduce-run.ts";
import { emptyRunState } from "../../engine/run/run-state.ts";
import { modelRequest, numberEvents } from "../../engine/testing/run-events.ts";
import { reduceStoredRun } from "./reduce-stored-run.ts";
import {
  createRunStore,
  currentRun,
  liveRunId,
  mostCharacters,
  mostHeld,
  mostShort,
  viewingHistory,
} from "./run-store.ts";

/** Frames that a test shows by hand. */
function frames() {
  const waiting: (() => void)[] = [];
  return {
    schedule: (callback: () => void) => void waiting.push(callback),
    show: () => waiting.splice(0).forEach((callback) => callback()),
    get asked() {
      return waiting.length;
    },
  };
}

const eventsOf = (runId: string, bodies: RunEventBody[]) => numberEvents(runId, bodies, 1_000);

const request = modelRequest({ callId: "call" });
const delta = (text: string): RunEventBody => ({ type: "text-delta", nodeId: "agent", callId: "call", text });
const startWith = (input: Json): RunEventBody => ({ type: "run-start", workflowId: "w", workflowName: "W", input });
const start = startWith({});
const end: RunEventBody = {
  type: "run-end",
  outcome: "completed",
  output: "done",
  usage: { inputTokens: 1, outputTokens: 2 },
  costUsd: null,
  durationMs: 5,
};

describe("run store", () => {
  it("takes back a run that could not start, and no other", () => {
    const store = createRunStore(frames().schedule);
    store.getState().begin("one", {});
    store.getState().begin("two", {});
    store.getState().withdraw("one");
    expect(currentRun(store.getState())?.runId).toBe("two");
    store.getState().withdraw("two");
    store.getState().withdraw("never");
    expect(store.getState()).toMatchObject({ runs: {}, started: [], currentRunId: null });
  });

  it("changes once per frame, however many words arrive", () => {
    const clock = frames();
    const store = createRunStore(clock.schedule);
    store.getState().begin("run", {});
    let changes = 0;
    store.subscribe(() => (changes += 1));
    const words = Array.from({ length: 500 }, (_, index) => delta(`${index} `));
    for (const event of eventsOf("run", [start, { type: "node-start", nodeId: "agent", input: {} }, request, ...words]))
      store.getState().apply([event]);
    expect(changes).toBe(0);
    expect(clock.asked).toBe(1);
    clock.show();
    expect(changes).toBe(1);
    expect(currentRun(store.getState())?.steps[0]).toMatchObject({ kind: "model" });
    expect(currentRun(store.getState())?.nodes.agent?.text.startsWith("0 1 2 ")).toBe(true);
    clock.show();
    expect(changes).toBe(1);
  });

  it("keeps the identity of nodes that nothing happened to", () => {
    const clock = frames();
    const store = createRunStore(clock.schedule);
    store.getState().begin("run", {});
    const events = eventsOf("run", [
      start,
      { type: "node-start", nodeId: "trigger", input: {} },
      { type: "node-end", nodeId: "trigger", output: {}, ports: ["main"], durationMs: 1 },
      { type: "node-start", nodeId: "agent", input: {} },
      request,
      delta("word"),
    ]);
    store.getState().apply(events.slice(0, 5));
    clock.show();
    const before = currentRun(store.getState());
    store.getState().apply(events.slice(5));
    clock.show();
    const after = currentRun(store.getState());
    expect(after?.nodes.trigger).toBe(before?.nodes.trigger);
    expect(after?.nodes.agent).not.toBe(before?.nodes.agent);
  });

  it("shows at once what is flushed, and each event once", () => {
    const clock = frames();
    const store = createRunStore(clock.schedule);
    store.getState().begin("run", { message: "hi" });
    expect(liveRunId(store.getState())).toBe("run");
    store.getState().apply(eventsOf("run", [start, end]));
    store.getState().flush();
    expect(currentRun(store.getState())).toMatchObject({ status: "completed", output: "done" });
    expect(liveRunId(store.getState())).toBeUndefined();
    clock.show();
    expect(store.events("run")).toHaveLength(2);
  });

  it("opens a stored run beside a running one, and goes back", () => {
    const clock = frames();
    const store = createRunStore(clock.schedule);
    store.getState().begin("live", {});
    const old = eventsOf("old", [start, end]);
    store.getState().open(reduceRunAll(emptyRunState("old"), old), old);
    expect(viewingHistory(store.getState())).toBe(true);
    expect(currentRun(store.getState())).toMatchObject({ runId: "old", status: "completed" });
    store.getState().apply(eventsOf("live", [start, end]));
    clock.show();
    expect(currentRun(store.getState())?.runId).toBe("old");
    store.getState().show("live");
    expect(viewingHistory(store.getState())).toBe(false);
    expect(currentRun(store.getState())).toMatchObject({ runId: "live", status: "completed" });
  });

  it("shows a run as it was at a moment, which changes neither what is held of it nor that it has ended", () => {
    const clock = frames();
    const store = createRunStore(clock.schedule);
    store.getState().begin("run", {});
    const events = eventsOf("run", [start, end]);
    store.getState().apply(events);
    clock.show();
    store.getState().lookAt(reduceRunAll(emptyRunState("run"), events.slice(0, 1)), 5);
    expect(currentRun(store.getState())?.status).toBe("running");
    expect(store.getState().runs["run"]?.status).toBe("completed");
    expect(liveRunId(store.getState())).toBeUndefined();
    store.getState().begin("next", {});
    expect(store.getState()).toMatchObject({ heldAt: null, heldRun: null });
    expect(currentRun(store.getState())?.runId).toBe("next");
  });

  it("does not show another run than the current one as it was, such as one whose replay still plays", () => {
    const clock = frames();
    const store = createRunStore(clock.schedule);
    const events = eventsOf("before", [start, end]);
    const [earlier, whole] = [events.slice(0, 1), events].map((some) => reduceRunAll(emptyRunState("before"), some));
    if (!earlier || !whole) throw new Error("There is no run.");
    store.getState().open(whole, events);
    store.getState().begin("next", {});
    store.getState().apply(eventsOf("next", [start]));
    clock.show();
    store.getState().lookAt(earlier, 5);
    expect(store.getState()).toMatchObject({ heldAt: null, heldRun: null, currentRunId: "next" });
    const then = store.getState().runs["next"];
    if (!then) throw new Error("There is no run.");
    store.getState().lookAt(then, 6);
    store.getState().lookAt(whole, null);
    expect(store.getState()).toMatchObject({ heldAt: 6, runs: { before: { status: "completed" } } });
  });

  it("S58 shows a run that was cut short as interrupted, with nothing at work any more", async () => {
    const store = createRunStore(frames().schedule);
    const cut = eventsOf("cut", [start, { type: "node-start", nodeId: "agent", input: {} }, request, delta("half")]);
    store.getState().open(await reduceStoredRun({ id: "cut", status: "interrupted" }, cut), cut);
    const run = currentRun(store.getState());
    expect(run).toMatchObject({ status: "interrupted", activeEdges: {} });
    expect(run?.error?.message).toContain("interrupted");
    expect(Object.values(run?.nodes ?? {}).some((node) => node.status === "running")).toBe(false);
  });
});

describe("many runs in one tab", () => {
  const long = "A".repeat(mostCharacters / 2);
  const question = (index: number, picture = long) => ({
    message: `Question ${index}`,
    sessionId: "chat",
    images: [`data:image/png;base64,${picture}`],
  });

  function runMany(count: number, saving: "saved" | "lost" = "saved", picture = long) {
    const store = createRunStore((callback) => callback());
    for (let index = 0; index < count; index += 1) {
      const runId = `run-${index}`;
      store.getState().begin(runId, question(index, picture));
      store.getState().apply(eventsOf(runId, [startWith(question(index, picture)), request, delta("Answer"), end]));
      store.getState().flush();
      const state = saving === "saved" ? { status: saving } : { status: saving, message: "No room." };
      store.getState().setSaving(runId, { status: "saving" });
      store.getState().setSaving(runId, state);
    }
    return store;
  }

  it("keeps the last few stored ones, and of the others the words that were said", () => {
    const [some, many] = [runMany(10).getState(), runMany(40).getState()];
    expect(Object.keys(many.runs)).toHaveLength(mostHeld + 1);
    expect(Object.keys(many.saving)).toHaveLength(Object.keys(some.saving).length);
    expect(many.started).toHaveLength(40);
    expect(many.ended).toBe(40);
    expect(many.past["run-0"]).toEqual({
      input: { message: "Question 0", sessionId: "chat" },
      output: "done",
      rememberedAt: null,
    });
    expect(many.past["run-39"]).toBeUndefined();
  });

  it("keeps more of them while they are short", () => {
    const { runs } = runMany(40, "saved", "AAAA").getState();
    expect(Object.keys(runs)).toHaveLength(mostShort + 1);
    expect(runs["run-39"]).toBeDefined();
  });

  it("lets go of their events as well", () => {
    const store = runMany(40);
    const held = store.getState().started.filter((runId) => store.events(runId).length > 0);
    expect(held).toHaveLength(mostHeld + 1);
  });

  it("keeps every run that the database does not have", () => {
    expect(Object.keys(runMany(40, "lost").getState().runs)).toHaveLength(40);
  });

  it("keeps the run on show, whatever comes after it, and one that goes on", () => {
    const store = runMany(20);
    store.getState().show("run-15");
    store.getState().begin("live", {});
    store.getState().show("run-15");
    for (let index = 0; index < 20; index += 1) {
      const opened = { ...emptyRunState(`old-${index}`), status: "completed" as const };
      store.getState().open(opened, eventsOf(`old-${index}`, [startWith(question(index)), end]));
      store.getState().show("run-15");
    }
    const { runs } = store.getState();
    expect(runs["run-15"]).toBeDefined();
    expect(runs["live"]).toBeDefined();
    expect(Object.keys(runs)).toHaveLength(mostHeld + 2);
    expect(runs["old-19"]).toBeDefined();
  });
});
