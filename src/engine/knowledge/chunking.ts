import { z } from "zod/mini";
import "../config/english-issues.ts";

/** The least and the most of each: estimated tokens, but for `depth`, which counts headings above a section. */
export const chunkingBounds = {
  size: { min: 50, max: 4_000 },
  overlap: { min: 0, max: 1_000 },
  depth: { min: 1, max: 6 },
  child: { min: 50, max: 2_000 },
};

const within = ({ min, max }: { min: number; max: number }) => z.int().check(z.minimum(min), z.maximum(max));

/** How documents are split besides by size. `depth`: headings further down do not begin a chunk of their own. */
export const splitSchema = z.discriminatedUnion("by", [
  z.object({ by: z.literal("headings"), depth: within(chunkingBounds.depth) }),
  /** Chunks of `child` tokens are found; the section of up to `size` tokens that they stand in is what a search gives. */
  z.object({ by: z.literal("parents"), depth: within(chunkingBounds.depth), child: within(chunkingBounds.child) }),
]);

export const chunkingSchema = z.object({
  size: within(chunkingBounds.size),
  /** None between the chunks of a parent. */
  overlap: within(chunkingBounds.overlap),
  /** Absent: by size, with what stands under each heading apart. */
  split: z.optional(splitSchema),
});

export type Split = z.infer<typeof splitSchema>;

/** How documents are split. */
export type Chunking = z.infer<typeof chunkingSchema>;

/** How a new collection splits its documents. */
export const defaultChunking: Chunking = { size: 800, overlap: 100 };

/** The most tokens of a text that is embedded. */
export function embeddedSize({ size, split }: Chunking): number {
  return split?.by === "parents" ? split.child : size;
}
