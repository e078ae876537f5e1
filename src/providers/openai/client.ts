import type { ProviderContext } from "../../engine/model/provider.ts";
import type { RunErrorData } from "../../engine/run/errors.ts";
import { mapCallError, type ErrorPlace } from "../wire/call-error.ts";
import { vendorSender, type VendorSender } from "../wire/vendor-sender.ts";
import { errorOfRefusal } from "./error-shapes.ts";

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

/** Maps whatever a call rejected with; compatible servers say why in many places. */
export function mapOpenaiError(error: unknown, place: ErrorPlace): RunErrorData {
  return mapCallError(error, place, errorOfRefusal);
}
