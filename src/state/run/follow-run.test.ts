import { expect, it } from "vitest";
import type { RunEvent, RunEventBody } from "../../engine/run/events.ts";
import { numberEvents } from "../../engine/testing/run-events.ts";
import { followRun } from "./follow-run.ts";
import { type RunSummary, ServiceError, type StoredRunStatus } from "../../services/services.ts";

const start: RunEventBody = { type: "run-start", workflowId: "w", workflowName: "W", input: {} };
const lines = ["one", "two"].map((message): RunEventBody => ({ type: "log", level: "info", message }));
const events = numberEvents("r", [start, ...lines]);

function summary(status: StoredRunStatus): RunSummary {
  return {
    id: "r",
    workflowId: "w",
    status,
    source: "manual",
    server: { version: 1, attempt: 1, worker: "worker-1", cancelRequested: false },
    input: {},
    output: null,
    error: null,
    ending: null,
    totalTokens: 0,
    costUsd: 0,
    startedAt: "2026-01-01T00:00:00Z",
    endedAt: null,
    forkedFrom: null,
    isTrial: false,
  };
}

/** A run that is found at one look after the other as listed; an error is thrown by its events. */
function recorded(looks: readonly (readonly [StoredRunStatus, readonly RunEvent[] | Error])[]) {
  const pauses: number[] = [];
  let at = -1;
  const options = {
    runs: {
      get: () => {
        at += 1;
        return Promise.resolve(summary(looks[at]?.[0] ?? "failed"));
      },
    },
    serverRuns: {
      watch: () => Promise.resolve(),
      reader: () =>
        Promise.resolve({
          read: () => {
            const found = looks[at]?.[1] ?? [];
            return found instanceof Error ? Promise.reject(found) : Promise.resolve([...found]);
          },
        }),
    },
    pause: (milliseconds: number) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
  };
  return { options, pauses };
}

async function follow(looks: Parameters<typeof recorded>[0], stopAfter = Infinity) {
  const { options, pauses } = recorded(looks);
  const controller = new AbortController();
  const seen: [StoredRunStatus, number[]][] = [];
  for await (const news of followRun("r", { ...options, signal: controller.signal })) {
    seen.push([news.summary.status, news.events.map(({ seq }) => seq)]);
    if (seen.length >= stopAfter) controller.abort();
  }
  return { seen, pauses };
}

it("gives what is new at each look until the run has ended, looks often while it runs and seldom while it waits", async () => {
  const { seen, pauses } = await follow([
    ["queued", []],
    ["running", events.slice(0, 2)],
    ["waiting", []],
    ["completed", events.slice(2)],
    ["completed", []],
  ]);
  expect(seen).toEqual([
    ["queued", []],
    ["running", [0, 1]],
    ["waiting", []],
    ["completed", [2]],
  ]);
  expect(pauses).toEqual([2_000, 400, 2_000]);
});

it("goes on asking without a connection, longer and longer apart, and loses nothing", async () => {
  const offline = new ServiceError("offline", "No connection.", "Wait.");
  const { seen, pauses } = await follow([
    ["running", offline],
    ["running", offline],
    ["completed", events],
  ]);
  expect(seen).toEqual([["completed", [0, 1, 2]]]);
  expect(pauses).toEqual([2_000, 4_000]);
});

it("says when the run is gone, and stops when nobody wants it any more", async () => {
  const gone = new ServiceError("not-found", "This run does not exist.", "It was deleted.");
  await expect(follow([["running", gone]])).rejects.toThrow("This run does not exist.");
  const { seen } = await follow(
    [
      ["running", []],
      ["running", []],
    ],
    1,
  );
  expect(seen).toHaveLength(1);
});

it("looks at once when the server tells of news, and else less often", async () => {
  const { options, pauses } = recorded([
    ["running", events.slice(0, 1)],
    ["running", events.slice(1, 2)],
    ["completed", events.slice(2)],
  ]);
  let tell = () => {};
  const sooner: (Promise<void> | undefined)[] = [];
  const following = followRun("r", {
    ...options,
    serverRuns: {
      ...options.serverRuns,
      watch: (_run, onChange) => {
        tell = onChange;
        return new Promise(() => {});
      },
    },
    pause(milliseconds, _signal, news) {
      pauses.push(milliseconds);
      sooner.push(news);
      tell();
      return news ?? Promise.resolve();
    },
    signal: new AbortController().signal,
  });
  for await (const { summary: seen } of following) expect(seen.id).toBe("r");
  expect(pauses).toEqual([400, 2_000]);
  await Promise.all(sooner);
});

it("asks the server to tell again after it has stopped, ever more seldom while it tells nothing", async () => {
  const looks = Array.from({ length: 60 }, () => ["running", []] as const);
  const { options } = recorded([...looks, ["completed", []]]);
  const asked: number[] = [];
  let look = 0;
  const following = followRun("r", {
    ...options,
    serverRuns: {
      ...options.serverRuns,
      watch(_run, onChange) {
        asked.push(look);
        // Broken off after it has told something once.
        if (asked.length === 3) onChange();
        return Promise.resolve();
      },
    },
    signal: new AbortController().signal,
  });
  for await (const { summary: seen } of following) look += Number(seen.id === "r");
  expect(asked).toEqual([0, 11, 32, 43]);
});
