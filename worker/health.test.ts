import { afterEach, expect, it } from "vitest";
import { type HealthServer, startHealthServer } from "./health.ts";

const options = {
  port: 0,
  host: "127.0.0.1",
  isReady: () => true,
  metrics: () => Promise.resolve([]),
  metricsToken: undefined,
};

let server: HealthServer | undefined;
afterEach(() => server?.close());

const get = (path: string, headers = {}) => fetch(`http://127.0.0.1:${server?.port}${path}`, { headers });

it("says that the process works, and apart from that whether it can take runs", async () => {
  let ready = false;
  server = await startHealthServer({ ...options, isReady: () => ready });
  const status = async (path: string) => (await get(path)).status;
  expect([await status("/health"), await status("/ready"), await status("/other")]).toEqual([200, 503, 404]);
  ready = true;
  expect([await status("/health"), await status("/ready?probe=1")]).toEqual([200, 200]);
});

it("gives metrics to its own machine, and beyond it to whoever brings the token", async () => {
  server = await startHealthServer(options);
  const alone = await get("/metrics");
  expect([alone.status, alone.headers.get("content-type"), await alone.text()]).toEqual([
    200,
    "application/openmetrics-text; version=1.0.0; charset=utf-8",
    "# EOF\n",
  ]);
  server.close();
  const token = "test-key-metrics";
  for (const metricsToken of [token, undefined, ""]) {
    server = await startHealthServer({ ...options, host: "0.0.0.0", metricsToken });
    const answers = [
      {},
      { authorization: "Bearer wrong" },
      { authorization: `Bearer ${token}` },
      { authorization: "Bearer " },
    ];
    const statuses = await Promise.all(answers.map(async (headers) => (await get("/metrics", headers)).status));
    expect(statuses).toEqual([401, 401, metricsToken ? 200 : 401, 401]);
    expect((await get("/ready")).status).toBe(200);
    server.close();
  }
});

it("rejects when its port is taken", async () => {
  server = await startHealthServer(options);
  const again = startHealthServer({ ...options, port: server.port });
  await expect(again).rejects.toMatchObject({ code: "EADDRINUSE" });
});
