import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WebSocket as NodeWebSocket } from "ws";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createServerRuns } from "./server-runs.ts";
import { type RealtimeServer, startRealtimeServer } from "./testing/realtime-server.ts";

const run = "00000000-0000-4000-8000-0000000000aa";
const key = "test-key-publishable";

let server: RealtimeServer;
let isWatched: boolean | "fails";
let end: AbortController;
let onChange: ReturnType<typeof vi.fn<() => void>>;

beforeEach(async () => {
  server = await startRealtimeServer((topic) => topic === `studio-run:${run}`);
  isWatched = true;
  end = new AbortController();
  onChange = vi.fn<() => void>();
});
afterEach(async () => {
  end.abort();
  await server.stop();
});

/** Follows a run of a hosted project whose database answers as `isWatched` says. */
function watch(runId: string): Promise<void> {
  const client = createSupabaseClient(
    { supabaseUrl: server.url, supabaseKey: key, embedded: false },
    {
      persistSession: false,
      fetch: () =>
        isWatched === "fails" ? Promise.reject(new TypeError("away")) : Promise.resolve(Response.json(isWatched)),
      webSocket: NodeWebSocket as unknown as typeof WebSocket,
    },
  );
  return createServerRuns(client).watch(runId, onChange, end.signal);
}

it("hears on the run's private channel that something is new, looks once more after it, and leaves when nobody follows", async () => {
  const watching = watch(run);
  await expect.poll(server.joined).toEqual([`studio-run:${run}`]);
  expect(server.joins).toEqual([{ topic: `studio-run:${run}`, isPrivate: true, token: key }]);
  // What came before it listened, and what the database left untold just after.
  await expect.poll(() => onChange.mock.calls.length).toBe(2);
  server.tell(`studio-run:${run}`, "other");
  for (let time = 0; time < 5; time += 1) server.tell(`studio-run:${run}`, "changed");
  await expect.poll(() => onChange.mock.calls.length).toBe(2 + 5 + 1);
  end.abort();
  await watching;
  await expect.poll(server.joined).toEqual([]);
});

it("ends, so that the run is looked at by the clock, where the channel is refused or breaks or there is no Realtime", async () => {
  await watch("00000000-0000-4000-8000-0000000000bb");
  expect(onChange).not.toHaveBeenCalled();
  const watching = watch(run);
  await expect.poll(server.joined).toHaveLength(1);
  server.drop();
  await watching;
  for (const answer of [false, "fails"] as const) {
    isWatched = answer;
    await watch(run);
  }
  expect(server.joins).toHaveLength(2);
});
