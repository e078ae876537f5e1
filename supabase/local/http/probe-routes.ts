import { Hono } from "hono";
import { carriesToken, needsToken, openMetricsText, openMetricsType } from "../../../worker/metrics/open-metrics.ts";
import { queueMetrics } from "../../../worker/metrics/queue-metrics.ts";
import { type WorkFigures, workMetrics } from "../../../worker/metrics/work-figures.ts";
import { workerStatements } from "../../../worker/statements.ts";
import type { DatabaseClient } from "../database/database-client.ts";
import type { DatabaseService } from "../database/database-service.ts";

interface ProbeServices {
  database: Pick<DatabaseService, "state" | "work">;
  /** Reads the queue. */
  client: Pick<DatabaseClient, "query">;
  workers: { readonly work: WorkFigures };
  isStopping(): boolean;
  /** Others may use the studio over a network: metrics then need the token. */
  shared: boolean;
  metricsToken: string | undefined;
}

/** For whoever runs the studio: `/health` (200 while the process works), `/ready` (503 while it cannot serve) and `/metrics`. */
export function createProbeRoutes(services: ProbeServices): Hono {
  const { database, client, workers, isStopping, shared, metricsToken } = services;
  const app = new Hono();
  const isReady = () => database.state === "ready" && !isStopping();

  app.use(async (context, next) => {
    context.header("cache-control", "no-store");
    await next();
  });
  app.get("/health", (context) => context.json({ ready: isReady() }));
  app.get("/ready", (context) => context.json({ ready: isReady() }, isReady() ? 200 : 503));
  app.get("/metrics", async (context) => {
    if (shared && !carriesToken(context.req.header("authorization"), metricsToken)) {
      return context.json({ code: "unauthorized", message: needsToken }, 401);
    }
    const ask = async () => (await client.query<{ answer: unknown }>(workerStatements.queueFigures)).rows[0]?.answer;
    const { turns, ms, waitedMs } = database.work();
    const counter = (name: string, help: string, value: number) => ({
      name: `switchyard_${name}`,
      kind: "counter" as const,
      help,
      values: [{ value }],
    });
    const text = openMetricsText([
      ...(await queueMetrics(ask)),
      ...workMetrics(workers.work),
      counter("database_turns", "Turns that requests and statements had at the database.", turns),
      counter("database_turn_seconds", "Time of these turns together.", ms / 1_000),
      counter("database_waiting_seconds", "Time that requests and statements waited for their turn.", waitedMs / 1_000),
    ]);
    return context.body(text, 200, { "content-type": openMetricsType });
  });
  return app;
}
