import { z } from "zod/mini";

/** US dollars per million tokens; more than this is a mistake. */
const price = z.number().check(z.minimum(0), z.maximum(100_000));

const cost = z.object({
  input: price,
  output: price,
  cache_read: z.optional(price),
});

/** A model as models.dev's `api.json` has it, as far as it is read here. Prices are US dollars per million tokens. */
export const sourceModel = z.object({
  name: z.optional(z.string()),
  family: z.optional(z.string()),
  release_date: z.optional(z.string()),
  tool_call: z.optional(z.boolean()),
  status: z.optional(z.string()),
  cost: z.optional(
    z.object({
      ...cost.shape,
      tiers: z.optional(z.array(z.object({ ...cost.shape, tier: z.object({ size: z.number() }) }))),
      context_over_200k: z.optional(cost),
    }),
  ),
  limit: z.optional(z.object({ context: z.number(), input: z.optional(z.number()), output: z.optional(z.number()) })),
  modalities: z.optional(z.object({ input: z.array(z.string()), output: z.array(z.string()) })),
});

export type SourceModel = z.infer<typeof sourceModel>;

/** Models by name, by models.dev's id of who serves them. */
export type SourceLists = Readonly<Record<string, Readonly<Record<string, SourceModel>>>>;

/** The file behind models.dev/api.json, as far as it is read here. */
export const sourceApi = z.record(z.string(), z.object({ models: z.record(z.string(), sourceModel) }));
