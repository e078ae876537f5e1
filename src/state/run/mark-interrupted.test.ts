import { describe, expect, it } from "vitest";
import { markInterrupted } from "./mark-interrupted.ts";
import type { RunSummary } from "../../services/services.ts";

const now = Date.parse("2026-03-02T12:00:00Z");

function summary(id: string, change: Partial<RunSummary> = {}): RunSummary {
  return {
    id,
    workflowId: "w",
    status: "running",
    source: "editor",
    server: null,
    input: {},
    output: null,
    error: null,
    totalTokens: null,
    costUsd: null,
    startedAt: "2026-03-02T11:59:00Z",
    endedAt: null,
    forkedFrom: null,
    isTrial: false,
    ending: null,
    ...change,
  };
}

async function mark(stored: RunSummary[], alive: string[] | null, own: string[]) {
  const finished: string[] = [];
  const marked = await markInterrupted({
    runs: {
      page: async () => ({ runs: stored.map((run) => ({ ...run, workflowName: "W" })), next: null }),
      finish: async (id, end) => void finished.push(`${id} ${end.status}`),
    },
    workflowId: "w",
    alive: alive === null ? null : new Set(alive),
    own,
    now,
  });
  expect(finished).toEqual(marked.map((id) => `${id} interrupted`));
  return marked;
}

describe("markInterrupted", () => {
  it("leaves runs of workers alone, however long they take", async () => {
    const server = { version: 1, attempt: 1, worker: "w", cancelRequested: false };
    const old = summary("old", { source: "manual", server, startedAt: "2026-01-01T00:00:00Z" });
    expect(await mark([old], [], ["old"])).toEqual([]);
  });

  it("S58 marks a run of this browser that no tab executes any more", async () => {
    expect(await mark([summary("dead")], [], ["dead"])).toEqual(["dead"]);
  });

  it("S58 leaves alone what another tab, another browser or a server executes, and what has ended", async () => {
    const stored = [summary("other-tab"), summary("elsewhere"), summary("ended", { status: "completed" })];
    expect(await mark(stored, ["other-tab"], ["other-tab", "ended"])).toEqual([]);
  });

  it("S58 gives up on a run after a day, also where tabs cannot be told apart", async () => {
    const stored = [summary("recent"), summary("old", { startedAt: "2026-03-01T11:00:00Z" })];
    expect(await mark(stored, null, ["recent"])).toEqual(["old"]);
    expect(await mark(stored, [], [])).toEqual(["old"]);
  });
});
