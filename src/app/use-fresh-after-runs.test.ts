import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import type { RunEventBody } from "../engine/run/events.ts";
import { numberEvents } from "../engine/testing/run-events.ts";
import { titleName } from "../state/conversation/known-titles.ts";
import { createRunStore } from "../state/run/run-store.ts";
import { refreshAfterRuns } from "./use-fresh-after-runs.ts";

const events: RunEventBody[] = [
  { type: "run-start", workflowId: "w", workflowName: "W", input: {} },
  {
    type: "run-end",
    outcome: "completed",
    output: "done",
    usage: { inputTokens: 1, outputTokens: 2 },
    costUsd: null,
    durationMs: 5,
  },
];

describe("queries after runs", () => {
  it("reads memories anew after each run, without an entry more in the cache", () => {
    const runs = createRunStore((callback) => callback());
    const queries = new QueryClient();
    const keys = [["memory", "sessions", "postgres", "w", ""], ["runs", "w"], ["runs", "list"], ["workflows"]];
    const stale = () => keys.map((queryKey) => queries.getQueryState(queryKey)?.isInvalidated);
    const end = refreshAfterRuns(runs, queries);
    for (let index = 0; index < 40; index += 1) {
      for (const queryKey of keys) queries.setQueryData(queryKey, index);
      runs.getState().begin(`run-${index}`, {});
      runs.getState().apply(numberEvents(`run-${index}`, events, 1_000));
      expect(stale()).toEqual([false, false, false, false]);
      runs.getState().flush();
      expect(stale()).toEqual([true, false, false, false]);
    }
    expect(queries.getQueryCache().getAll()).toHaveLength(keys.length);
    end();
    for (const queryKey of keys) queries.setQueryData(queryKey, 40);
    runs.getState().begin("run", {});
    runs.getState().apply(numberEvents("run", events, 1_000));
    runs.getState().flush();
    expect(stale()).toEqual([false, false, false, false]);
  });

  it("asks again what conversations are called only while one of them has no name", () => {
    const runs = createRunStore((callback) => callback());
    const queries = new QueryClient();
    const [first, second] = [
      { workflowId: "w", sessionId: "first" },
      { workflowId: "w", sessionId: "second" },
    ];
    const titles = (...keys: object[]) => ["memory", "titles", { storage: "postgres" }, keys];
    const named = { [titleName(first)]: "What is the weather?" };
    queries.setQueryData(titles(first), named);
    queries.setQueryData(titles(first, second), named);
    const end = refreshAfterRuns(runs, queries);
    runs.getState().begin("run", {});
    runs.getState().apply(numberEvents("run", events, 1_000));
    runs.getState().flush();
    const stale = [titles(first), titles(first, second)].map((key) => queries.getQueryState(key)?.isInvalidated);
    expect(stale).toEqual([false, true]);
    end();
  });
});
