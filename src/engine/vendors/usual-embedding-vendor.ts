import type { VendorId } from "./index.ts";

/** The vendor whose embeddings a new vector memory takes. Apart from the vendors' records, which the editor does not load at first. */
export const usualEmbeddingVendor: VendorId = "openai";
