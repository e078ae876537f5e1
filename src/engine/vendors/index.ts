import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { openai } from "./openai.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import type { Vendor } from "./vendor.ts";

/** Every model vendor by its id, which is also the id of its provider and of its credential type. */
export const vendors = {
  openai,
  anthropic,
  gemini,
  "openai-compatible": openaiCompatible,
} as const satisfies Record<string, Vendor>;

/** A key of `vendors`. */
export type VendorId = keyof typeof vendors;

/** The vendor of a provider; undefined for those without one, such as the demo. */
export function vendorOf(provider: string): Vendor | undefined {
  return isVendor(provider) ? vendors[provider] : undefined;
}

function isVendor(provider: string): provider is VendorId {
  return Object.hasOwn(vendors, provider);
}
