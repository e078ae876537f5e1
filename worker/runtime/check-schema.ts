import { z } from "zod/mini";
import { createSchemaChecker } from "../../src/host/schema/check-schema.ts";
import { openThread } from "./open-thread.ts";

const verdictSchema = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);

const script = new URL("./check-worker.mjs", import.meta.url);

/** For all owners together, on a process that serves many. */
const maxThreads = 8;

/** `Host.checkSchema` in worker threads, none of which serves two owners. */
export const checkSchemaInThread = createSchemaChecker(() => openThread(script, verdictSchema), maxThreads);
