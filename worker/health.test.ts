import { afterEach, expect, it } from "vitest";
import { type HealthServer, startHealthServer } from "./health.ts";

let server: HealthServer | undefined;
afterEach(() => server?.close());

it("says that the process works, and apart from that whether it can take runs", async () => {
  let ready = false;
  server = await startHealthServer({ port: 0, host: "127.0.0.1", isReady: () => ready });
  const { port } = server;
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect([await status("/health"), await status("/ready"), await status("/other")]).toEqual([200, 503, 404]);
  ready = true;
  expect([await status("/health"), await status("/ready?probe=1")]).toEqual([200, 200]);
});

it("rejects when its port is taken", async () => {
  server = await startHealthServer({ port: 0, host: "127.0.0.1", isReady: () => true });
  const again = startHealthServer({ port: server.port, host: "127.0.0.1", isReady: () => true });
  await expect(again).rejects.toMatchObject({ code: "EADDRINUSE" });
});
