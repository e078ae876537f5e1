import { z } from "zod/mini";
import { createSchemaChecker } from "../../src/host/schema/check-schema.ts";
import { openThread } from "./open-thread.ts";

const verdictSchema = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);

const script = new URL("./check-worker.mjs", import.meta.url);

/** `Host.checkSchema` in a worker thread. */
export const checkSchemaInThread = createSchemaChecker(() =>
  openThread(script, (answer) => verdictSchema.parse(answer)),
);
