import { z } from "zod/mini";
import { acceptModels, listDate } from "./known-models.ts";
import type { ListedModel } from "./listed-model.ts";
import type { ModelLists } from "./price-changes.ts";

const price = z.number().check(z.minimum(0), z.maximum(100_000));
const count = z.number().check(z.minimum(0));

const listedModel = z.partial(
  z.object({
    input: price,
    output: price,
    cached: price,
    long: z.tuple([count, price, price, price]),
    inputTokens: count,
    outputTokens: count,
    released: z.string(),
    family: z.string(),
    reads: z.array(z.enum(["image", "pdf", "audio"])),
    tools: z.boolean(),
    deprecated: z.boolean(),
  }),
) as z.ZodMiniType<ListedModel>;

const lists: z.ZodMiniType<ModelLists> = z.record(z.string(), z.record(z.string(), listedModel));

/** What the database keeps of accepted prices, as `studio_model_prices` gives it. */
const storedPrices = z.object({
  revision: z.number(),
  /** Null where the asker knows this revision already. */
  models: z.nullable(z.unknown()),
  source: z.string(),
  /** A day; null where nothing is accepted. */
  acceptedOn: z.nullable(z.string()),
  /** Whether who asks may accept prices. */
  mayAccept: z.optional(z.boolean()),
});

export type StoredPrices = z.infer<typeof storedPrices>;

/** Has this process price by what the operator accepted, or by what it knows itself where that was taken back. Gives what is known of it; throws for an answer of another form. */
export function takeStoredPrices(answer: unknown): StoredPrices {
  const stored = storedPrices.parse(answer);
  if (stored.models === null) return stored;
  if (stored.acceptedOn === null) {
    acceptModels({}, listDate);
    return stored;
  }
  const read = lists.safeParse(stored.models);
  if (read.success) acceptModels(read.data, stored.acceptedOn);
  return stored;
}
