import { Hono } from "hono";
import { DatabaseUnavailable } from "../database/database-client.ts";
import type { IdentifySender } from "../http/request-sender.ts";
import type { Access } from "./alive-again.ts";
import type { OnlineBackup } from "./copy-database-files.ts";
import { readLastBackup } from "./last-backup.ts";
import type { StudioPause } from "./studio-pause.ts";

/** What the operator's commands ask of a running studio, and what Settings shows of it. */
export interface OperatorServices {
  identify: IdentifySender;
  /** Null where the database is on a server, which pg_dump asks itself. */
  online: OnlineBackup | null;
  pause: StudioPause;
  /** Who and what can get in. */
  access(): Promise<Access>;
  dataDir: string;
  /** Others use the studio over a network: then its operator alone ends a pause. */
  shared: boolean;
}

export const operatorPath = "/operator/v1";

/**
 * Only whoever may read keys.json has the secret key. Anybody who is signed in may see the state, and end a pause where that can only
 * be the person of this machine.
 */
export function createOperatorRoutes({ identify, online, pause, access, dataDir, shared }: OperatorServices): Hono {
  const app = new Hono().basePath(operatorPath);

  app.use(async (context, next) => {
    context.header("cache-control", "no-store");
    const sender = await identify(context.req.raw.headers);
    const isOpen = context.req.method === "GET" || (!shared && context.req.path === `${operatorPath}/resume`);
    const isAllowed = sender.kind === "service" || (sender.kind === "user" && isOpen);
    if (isAllowed) return next();
    return context.json({ code: "unauthorized", message: "Only the operator of this studio may do that." }, 401);
  });

  app.get("/state", async (context) =>
    context.json({ paused: pause.isPaused(), mayResume: !shared, backup: await readLastBackup(dataDir) }),
  );

  app.post("/resume", async (context) => {
    const wasPaused = pause.isPaused();
    await pause.resume();
    return context.json({ wasPaused });
  });

  app.post("/access", async (context) => context.json(await access()));

  app.post("/backup/:step{begin|end}", async (context) => {
    if (online === null) return context.json({ message: "This studio keeps its data on a server." }, 409);
    try {
      return context.json(await (context.req.param("step") === "begin" ? online.begin() : online.end()));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      return context.json({ message: error instanceof Error ? error.message : String(error) }, 409);
    }
  });

  return app;
}
