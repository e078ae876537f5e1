import type { ProviderContext } from "../../engine/model/provider.ts";
import { vendorSender, type VendorSender } from "../wire/vendor-sender.ts";

/** The version of the API that the SDK of our types names ("API versions"). */
const version = "2026-10-21";

/** Sends requests to Anthropic. */
export function anthropicSender(context: ProviderContext): VendorSender {
  return vendorSender("anthropic", context, { accept: "application/json", "anthropic-version": version });
}
