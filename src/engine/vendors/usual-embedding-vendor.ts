import type { VendorId } from "./index.ts";

/** The vendor whose embeddings a new vector memory takes. */
export const usualEmbeddingVendor: VendorId = "openai";
