import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLiveNews } from "./live-news-reader.ts";
import { readEnvironment } from "./function-environment.ts";
import { createSupabaseClient, type SupabaseClient } from "./supabase-client.ts";
import { type LoopbackServer, startLoopbackServer } from "./testing/loopback-server.ts";

let gateway: LoopbackServer;
let supabase: SupabaseClient;
let open: ServerResponse[];

beforeEach(async () => {
  open = [];
  gateway = await startLoopbackServer((_request, response) => {
    open.push(response);
    response.once("close", () => (open = open.filter((one) => one !== response)));
    response.writeHead(200, { "content-type": "application/x-ndjson" }).write("\n");
  });
  supabase = createSupabaseClient(
    readEnvironment({
      SUPABASE_URL: `http://${gateway.host}`,
      SUPABASE_ANON_KEY: "test-key-anon",
      SUPABASE_SERVICE_ROLE_KEY: "test-key-service",
      STUDIO_GATEWAY: "1",
    }),
  );
});
afterEach(() => gateway.stop());

const piece = (at: number, text: string) => ({
  kind: "text",
  nodeId: "agent",
  callId: "a",
  purpose: "answer",
  request: 3,
  at,
  text,
});
const say = (news: object) => open[0]?.write(`${JSON.stringify(news)}\n`);

test("S91 the followers of a run share one connection, who comes later hears what was said, and the last one closes it", async () => {
  const run = crypto.randomUUID();
  const controls = Array.from({ length: 5 }, () => new AbortController());
  const early = controls.slice(0, 4).map(({ signal }) => openLiveNews(supabase, run, signal));
  await expect.poll(() => open.length).toBe(1);
  say(piece(0, "Hel"));
  say(piece(3, "lo"));
  for (const reader of early) {
    expect([await reader.next(5_000), await reader.next(5_000)]).toEqual([piece(0, "Hel"), piece(3, "lo")]);
  }
  const late = controls.slice(4).map(({ signal }) => openLiveNews(supabase, run, signal));
  expect(await late[0]?.next(5_000)).toEqual(piece(0, "Hello"));
  expect(gateway.seen).toHaveLength(1);
  for (const control of controls.slice(0, 4)) control.abort();
  say({ kind: "stored" });
  expect(await late[0]?.next(5_000)).toEqual({ kind: "stored" });
  expect(await early[0]?.next(5_000)).toBeNull();
  controls[4]?.abort();
  await expect.poll(() => open.length).toBe(0);
});

test("S91 a follower that is far behind is sent to the log, and a connection that breaks is opened again by the next one", async () => {
  const run = crypto.randomUUID();
  const [slow, next] = [new AbortController(), new AbortController()];
  const reader = openLiveNews(supabase, run, slow.signal);
  const quick = openLiveNews(supabase, run, slow.signal);
  await expect.poll(() => open.length).toBe(1);
  for (let count = 0; count < 1_001; count += 1) {
    say(piece(count, "x"));
    await quick.next(5_000);
  }
  expect(await reader.next(10)).toEqual({ kind: "stored" });
  open[0]?.destroy();
  await expect.poll(() => reader.isOpen).toBe(false);
  openLiveNews(supabase, run, next.signal);
  await expect.poll(() => gateway.seen.length).toBe(2);
  for (const control of [slow, next]) control.abort();
});
