import type { ProviderContext } from "../../engine/model/provider.ts";
import { vendorSender, type VendorSender } from "../wire/vendor-sender.ts";

/** Sends requests to a server with OpenAI's API; their paths are below `path`, and `query` is added to each. */
export function openaiSender(
  provider: string,
  context: ProviderContext,
  { path = "", query = {} }: { path?: string; query?: Record<string, string> } = {},
): VendorSender {
  const send = vendorSender(provider, context, { accept: "application/json" });
  const search = new URLSearchParams(query).toString();
  const after = search === "" ? "" : `?${search}`;
  return (request) => send({ ...request, path: path + request.path + after });
}
