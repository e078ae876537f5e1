import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { listUntilStored, unstoredRuns } from "../state/run/unstored-runs.ts";
import { refreshStoredRuns } from "./refresh-stored-runs.ts";

it("reads a run and all lists of runs anew once it is stored", async () => {
  const queries = new QueryClient();
  const keys = [["run", "stored"], ["run", "other"], ["runs", "w"], ["runs", "list"], ["workflows"]];
  const stale = () => keys.map((queryKey) => queries.getQueryState(queryKey)?.isInvalidated);
  for (const queryKey of keys) queries.setQueryData(queryKey, 0);
  const end = refreshStoredRuns(queries);
  let [store, storeOther] = [() => {}, () => {}];
  listUntilStored("stored", new Promise((resolve) => (store = resolve)));
  listUntilStored("other", new Promise((resolve) => (storeOther = resolve)));
  expect(stale()).toEqual([false, false, false, false, false]);
  store();
  await expect.poll(stale).toEqual([true, false, true, true, false]);
  end();
  storeOther();
  await expect.poll(() => unstoredRuns.getState().ids.size).toBe(0);
  expect(stale()).toEqual([true, false, true, true, false]);
});
