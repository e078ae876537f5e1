import { afterEach, expect, test, vi } from "vitest";
import { followRun, type RunNews } from "./door-runs.ts";
import type { SupabaseClient } from "./supabase-client.ts";

const run = {
  id: "3f2a9c10-7d1e-4a44-9a51-0c8f5b1e2d77",
  workflowId: "w",
  owner: "o",
  slug: "quiet",
  version: 1,
  source: "api",
  subject: null,
  keyId: null,
  startedAt: null,
  endedAt: null,
  events: [],
  hasMore: false,
};

afterEach(() => {
  vi.useRealTimers();
});

test("S91 those who follow a waiting run look at it together, whenever they came", async () => {
  vi.useFakeTimers();
  const over = new AbortController();
  let reads = 0;
  let status = "waiting";
  const supabase = {
    openLiveAnswer: () => Promise.resolve(null),
    async callAsService() {
      reads += 1;
      const seen = status;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { ...run, status: seen };
    },
  } as unknown as SupabaseClient;
  const follow = async () => {
    const told: RunNews[] = [];
    for await (const news of followRun(supabase, run.id, -1, over.signal)) told.push(news);
    return told.at(-1)?.kind;
  };

  const followers = [];
  for (let index = 0; index < 15; index += 1) {
    followers.push(follow());
    await vi.advanceTimersByTimeAsync(130);
  }
  reads = 0;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reads).toBeLessThanOrEqual(2 * 10 + 2);

  status = "completed";
  await vi.advanceTimersByTimeAsync(2_100);
  expect(await Promise.all(followers)).toEqual(Array.from({ length: 15 }, () => "end"));
});
