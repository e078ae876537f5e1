import { expect, test } from "vitest";
import { createOpenPlaces } from "./open-places.ts";
import { SupabaseError } from "./supabase-client.ts";

/** A database that keeps what it was told, and is away for the first `away` calls. */
function database(away = 0) {
  const told: unknown[] = [];
  let left = away;
  return {
    told,
    callAsService: (_name: string, { p_slots: places }: Record<string, unknown>) => {
      if (left > 0) {
        left -= 1;
        return Promise.reject(new SupabaseError("call studio_leave_slots", 503, null));
      }
      told.push(places);
      return Promise.resolve(null);
    },
  };
}

test("places of calls that end together are given back together", async () => {
  const { told, callAsService } = database();
  const places = createOpenPlaces({ callAsService });
  await Promise.all([places.leave("a"), places.leave("b"), places.leave("a")]);
  expect(told).toEqual([["a", "b"]]);
  await places.leave("c");
  expect(told).toEqual([["a", "b"], ["c"]]);
});

test("what the next call takes along is not told twice, and is told after all where that call failed", async () => {
  const { told, callAsService } = database();
  const places = createOpenPlaces({ callAsService });
  const left = places.leave("a");
  expect(places.take()).toEqual(["a"]);
  expect(places.take()).toEqual([]);
  await left;
  expect(told).toEqual([]);
  places.putBack(["a"]);
  await places.leave("b");
  expect(told).toEqual([["a", "b"]]);
});

test("a database that restarts is waited for", async () => {
  const { told, callAsService } = database(1);
  await createOpenPlaces({ callAsService }).leave("a");
  expect(told).toEqual([["a"]]);
});

test("places that can be told neither with a call nor after it are left to their time, and the function goes on", async () => {
  let asked = 0;
  const callAsService = () => {
    asked += 1;
    return Promise.reject(new SupabaseError("call studio_leave_slots", 500, null));
  };
  const places = createOpenPlaces({ callAsService });
  places.putBack(["a"]);
  await expect.poll(() => asked).toBe(1);
  await expect(places.leave("b")).rejects.toThrow("status 500");
});
