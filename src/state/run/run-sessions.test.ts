import { afterEach, describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { createApprovalStore } from "./approval-store.ts";
import { createBreakpointStore } from "./breakpoint-store.ts";
import { createPauseStore } from "./pause-store.ts";
import type { Execution } from "./run-control.ts";
import { forgetEnded, keptExecution, keptSession, runSessions, showSession, stopRuns } from "./run-sessions.ts";
import { createRunStore } from "./run-store.ts";

afterEach(() => stopRuns());

const noStorage = () => {
  throw new Error("No storage.");
};

/** A page whose runs begin and end by hand. */
function page(name = "Flow") {
  let stopped = false;
  const store = createStore<{ running: boolean; answered: boolean; blocked: [] }>()(() => ({
    running: false,
    answered: false,
    blocked: [],
  }));
  const session = {
    runs: createRunStore((work) => work()),
    approvals: createApprovalStore(),
    breakpoints: createBreakpointStore("w", noStorage),
    pauses: createPauseStore(),
  };
  const execution: Execution = {
    store,
    prepare: () => {},
    start: () => null,
    stop: () => void (stopped = true),
    dismiss: () => {},
  };
  return {
    shown: { session, execution, name: () => name },
    session,
    execution,
    isStopped: () => stopped,
    begin() {
      session.runs.getState().begin("r1", {});
      store.setState({ running: true });
    },
    end() {
      session.runs.getState().apply([
        {
          type: "run-end",
          runId: "r1",
          seq: 1,
          at: 2,
          outcome: "completed",
          output: null,
          usage: { inputTokens: 0, outputTokens: 0 },
          costUsd: null,
          durationMs: 1,
        },
      ]);
      session.runs.getState().flush();
      store.setState({ running: false });
    },
  };
}

describe("runs of a page that was left", () => {
  it("go on, and are found again with what they wait for", async () => {
    const first = page();
    const leave = showSession("/w/a", first.shown);
    first.begin();
    leave();
    expect(first.isStopped()).toBe(false);
    expect(runSessions.getState().live).toEqual([{ home: "/w/a", name: "Flow", waiting: false }]);
    void first.session.approvals.approverFor("r1")(
      { callId: "c", toolName: "send", nodeId: "a", toolNodeId: "t", input: {}, parameters: {} },
      new AbortController().signal,
    );
    expect(runSessions.getState().live).toEqual([{ home: "/w/a", name: "Flow", waiting: true }]);
    expect(keptSession("/w/a")?.approvals.getState().pending).toHaveLength(1);
    expect(keptExecution(first.session.runs)).toBe(first.execution);
    expect(keptSession("/w/b")).toBeUndefined();
  });

  it("are let go of where nothing runs", () => {
    const first = page();
    showSession("/w/a", first.shown)();
    expect(keptSession("/w/a")).toBeUndefined();
    expect(runSessions.getState().live).toEqual([]);
  });

  it("are reported when they end, unless their page is open again", async () => {
    const first = page();
    const leave = showSession("/w/a", first.shown);
    first.begin();
    leave();
    first.end();
    expect(runSessions.getState()).toMatchObject({
      live: [],
      ended: [{ home: "/w/a", name: "Flow", status: "completed" }],
    });
    // The outcome is there for who comes back.
    expect(keptSession("/w/a")).toBe(first.session);
    showSession("/w/a", first.shown);
    expect(runSessions.getState().ended).toEqual([]);
    first.begin();
    first.end();
    expect(runSessions.getState().ended).toEqual([]);
  });

  it("are kept for a few pages only once they have ended", async () => {
    for (const home of ["/w/1", "/w/2", "/w/3", "/w/4"]) {
      const left = page(home);
      const leave = showSession(home, left.shown);
      left.begin();
      leave();
      left.end();
    }
    forgetEnded();
    expect(["/w/1", "/w/2", "/w/3", "/w/4"].map((home) => keptSession(home) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it("are stopped with their workflow, and all of them when the person signs out", () => {
    const [first, second] = [page(), page()];
    for (const [home, left] of [
      ["/w/a", first],
      ["/w/b", second],
    ] as const) {
      const leave = showSession(home, left.shown);
      left.begin();
      leave();
    }
    stopRuns("/w/a");
    expect([first.isStopped(), second.isStopped()]).toEqual([true, false]);
    stopRuns();
    expect(second.isStopped()).toBe(true);
    expect(runSessions.getState()).toMatchObject({ live: [], ended: [] });
  });
});
