import { parseJson, exactText } from "../../engine/json.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { VendorRefusal } from "./vendor-refusal.ts";
import { parseLosslessJson } from "../../engine/lossless-json.ts";

/**
 * Requests go straight through `host.fetch`; of the vendors' SDKs only the types are used, and `sdk-requests.test.ts` compares what
 * is sent with what they send. Loaded, they would add 36 kB (OpenAI), 84 kB (Anthropic) and 74 kB (Gemini) of gzipped script before
 * the first request, for an address and a class of errors: key, retries and time limits are the host's and the engine's, and their
 * streams lose errors that gateways write in other places.
 */
export interface VendorRequest {
  /** Path and query below the vendor's base URL. */
  path: string;
  /** Posted as JSON. A request without one is a GET. */
  body?: object;
  /** Posted as multipart form data, in the place of `body`. */
  form?: FormData;
  headers?: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Sends a request; rejects as `host.fetch` does, and with a VendorRefusal for any status that is no success. */
export type VendorSender = (request: VendorRequest) => Promise<Response>;

/** Sends requests with the context's credential and `usual` headers. The host replaces the origin and adds the key. */
export function vendorSender(
  provider: string,
  { host, credential }: ProviderContext,
  usual: Readonly<Record<string, string>> = {},
): VendorSender {
  return async ({ path, body, form, headers, signal }) => {
    const response = await host.fetch({ provider, credential }, `https://vendor.invalid${path}`, {
      headers: { ...usual, ...(body ? { "content-type": "application/json" } : {}), ...headers },
      ...(body ? { method: "POST", body: exactText(body) } : {}),
      ...(form ? { method: "POST", body: form } : {}),
      signal,
    });
    if (response.ok) return response;
    const text = await response.text();
    throw new VendorRefusal({ status: response.status, headers: response.headers, body: parseJson(text), text });
  };
}

/** A whole answer as JSON. Rejects with a SyntaxError where it is none. */
export async function readWhole(response: Response): Promise<unknown> {
  return parseLosslessJson(await response.text());
}

/** A server that does not stream, or has only an error to give, answers in one piece. */
export function isWhole(response: Response): boolean {
  return response.headers.get("content-type")?.includes("application/json") === true;
}
