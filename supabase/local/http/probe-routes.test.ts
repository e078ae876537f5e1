import { beforeAll, expect, it } from "vitest";
import { noWork } from "../../../worker/metrics/work-figures.ts";
import { signUp } from "../testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../testing/shared-stack.ts";
import { plant } from "../testing/sample-rows.ts";
import { createProbeRoutes } from "./probe-routes.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedTestStack();
});

it("tells how the queue of all accounts is, without a name of anybody or anything", async () => {
  const user = await signUp(stack);
  const workflow = await plant(stack, "studio_workflows", user);
  const row = {
    workflow_id: workflow.id,
    source: "manual",
    status: "queued",
    queued_at: new Date(Date.now() - 90_000),
  };
  const run = await plant(stack, "studio_runs", user, row);
  const response = await fetch(`${stack.url}/metrics`);
  const text = await response.text();
  await stack.sql("delete from public.studio_runs where id = $1", [run.id]);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/openmetrics-text; version=1.0.0; charset=utf-8",
  ]);
  const valueOf = (sample: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${sample} `))
        ?.split(" ")[1],
    );
  expect(valueOf('switchyard_runs{state="queued"}')).toBeGreaterThanOrEqual(1);
  expect(valueOf("switchyard_oldest_queued_run_seconds")).toBeGreaterThanOrEqual(90);
  expect([valueOf("switchyard_database_up"), valueOf("switchyard_cost_dollars_total")]).toEqual([1, 0]);
  expect(valueOf("switchyard_database_turns_total")).toBeGreaterThan(0);
  for (const name of [user.userId, user.email, String(workflow.id), "ame="]) expect(text).not.toContain(name);
});

const routes = (changes: Partial<Parameters<typeof createProbeRoutes>[0]>) =>
  createProbeRoutes({
    database: { state: "ready", work: () => ({ turns: 0, ms: 0, waitedMs: 0 }) },
    client: { query: () => Promise.reject(new Error("away")) },
    workers: { work: noWork() },
    isStopping: () => false,
    shared: false,
    metricsToken: undefined,
    ...changes,
  });

it("is ready while its database answers and nobody stops it, and alive in any case", async () => {
  const statuses = (app: ReturnType<typeof routes>) =>
    Promise.all(["/health", "/ready"].map(async (path) => (await app.request(path)).status));
  expect(await statuses(routes({}))).toEqual([200, 200]);
  expect(await statuses(routes({ isStopping: () => true }))).toEqual([200, 503]);
  const away = { state: "restarting" as const, work: () => ({ turns: 0, ms: 0, waitedMs: 0 }) };
  expect(await statuses(routes({ database: away }))).toEqual([200, 503]);
});

it("S11 gives metrics of a studio that others reach to whoever brings the token, and to nobody without one", async () => {
  const metricsToken = "test-key-metrics";
  const status = async (options: Parameters<typeof routes>[0], authorization?: string) =>
    (await routes(options).request("/metrics", authorization ? { headers: { authorization } } : {})).status;
  expect(await status({})).toBe(200);
  expect(await status({ shared: true, metricsToken })).toBe(401);
  expect(await status({ shared: true, metricsToken }, "Bearer test-key-other")).toBe(401);
  expect(await status({ shared: true }, "Bearer undefined")).toBe(401);
  expect(await status({ shared: true, metricsToken }, `Bearer ${metricsToken}`)).toBe(200);
});
