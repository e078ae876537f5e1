import { afterEach, expect, it, vi } from "vitest";
import { problemOf } from "./door.ts";
import { createSupabaseClient } from "./supabase-client.ts";
import { type LoopbackServer, startLoopbackServer } from "./testing/loopback-server.ts";

let server: LoopbackServer | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await server?.stop();
});

/** What a door answers whose call of the database went wrong. */
async function problem(host: string) {
  vi.spyOn(console, "error").mockReturnValue();
  const client = createSupabaseClient({
    supabaseUrl: `http://${host}`,
    anonKey: "test-key-anon",
    serviceRoleKey: "test-key-service",
  } as Parameters<typeof createSupabaseClient>[0]);
  return client.callAsService("studio_door_begin", {}).then(
    () => null,
    (error: unknown) => problemOf(error),
  );
}

it("S57 doors say that one may come again where the database is not reached, and that it failed where it did", async () => {
  expect(await problem("127.0.0.1:1")).toMatchObject({ status: 503, retryAfter: 1 });
  let answer: [number, string] | "breaks off" = "breaks off";
  server = await startLoopbackServer((_request, response) => {
    if (answer !== "breaks off") return void response.writeHead(answer[0]).end(answer[1]);
    response.writeHead(200, { "content-length": "100" }).write("{");
    response.destroy();
  });
  expect(await problem(server.host)).toMatchObject({ status: 503, retryAfter: 1 });
  const away: [number, string][] = [
    [502, "<html>Bad gateway</html>"],
    [503, '{"code":"PGRST002"}'],
    [504, ""],
    [522, "<html></html>"],
    [500, '{"code":"57P01","message":"terminating connection"}'],
  ];
  for (answer of away) expect(await problem(server.host), String(answer)).toMatchObject({ status: 503, retryAfter: 1 });
  for (answer of [
    [500, '{"code":"57014"}'],
    [400, '{"code":"22P02"}'],
  ] as [number, string][]) {
    expect(await problem(server.host), String(answer)).toMatchObject({ status: 500 });
  }
});
