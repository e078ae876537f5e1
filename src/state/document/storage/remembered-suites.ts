import { z } from "zod/mini";

/** The suites that a version of a workflow remembers, as its row has them. */
export const rememberedSuites = z.array(
  z.object({ id: z.string(), name: z.string(), version: z.number(), revision: z.number() }),
);
