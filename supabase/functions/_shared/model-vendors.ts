import { azureCheck } from "../../../src/engine/vendors/azure.ts";
import { compatibleServerAt } from "../../../src/engine/vendors/compatible-servers.ts";
import { vendors } from "../../../src/engine/vendors/index.ts";
import type { Vendor } from "../../../src/engine/vendors/vendor.ts";
import type { ModelCredential } from "./credential-types.ts";
import { failure, success, type Outcome } from "./failure.ts";

/** Query parameters in which clients send keys; the key that counts is the stored one. */
const keyParameters: ReadonlySet<string> = new Set([
  "access_token",
  "api-key",
  "api_key",
  "apikey",
  "auth",
  "authorization",
  "key",
  "subscription-key",
  "token",
]);

/** The address that a credential's requests go below: its own base URL, or the vendor's. */
export function vendorBaseUrl(credential: ModelCredential): URL {
  const address = credential.fields.baseUrl ?? vendors[credential.type].baseUrl;
  if (address === null) throw new Error("A compatible server always has a base URL.");
  return new URL(address);
}

/**
 * The cheap request that shows whether a credential works: a list of models, or what asks for the key where that list is
 * open to anyone. Answers its URL and the headers that carry the key; method GET.
 */
export function vendorCheck(credential: ModelCredential): { url: string; headers: Record<string, string> } {
  const base = vendorBaseUrl(credential);
  const azure = azureCheck(base);
  if (azure) return { url: azure.href, headers: keyHeaders(credential, azure) };
  const { path, query, headers }: Vendor["check"] = vendors[credential.type].check;
  const request = build(credential, compatibleServerAt(base)?.checkPath ?? path, query);
  return { url: request.url, headers: { ...headers, ...request.headers } };
}

/**
 * Builds the request to a model vendor. `path` starts with `/` and must be one that the vendor's model API has, `query` is
 * the client's without a key in it, `method` is checked when given. Answers the full URL and the headers that carry the
 * key. The host never comes from the request.
 */
export function vendorRequest(
  credential: ModelCredential,
  path: string,
  query: string | URLSearchParams = "",
  method?: string,
): Outcome<{ url: string; headers: Record<string, string> }> {
  const rules = vendors[credential.type].paths.filter((rule) => method === undefined || rule.method === method);
  if (path.includes("..") || !rules.some((rule) => rule.path.test(path))) {
    return failure(
      "invalid_config",
      "This path is not part of the provider's model API.",
      "Only chat, message, response, embedding and model-list requests are allowed.",
    );
  }
  return success(build(credential, path, query));
}

function build(
  credential: ModelCredential,
  path: string,
  query: string | URLSearchParams,
): { url: string; headers: Record<string, string> } {
  const url = vendorBaseUrl(credential);
  const base = url.pathname.replace(/\/+$/, "");
  const { versionSegment } = vendors[credential.type];
  const repeated = versionSegment !== null && base.endsWith(versionSegment) && path.startsWith(`${versionSegment}/`);
  url.pathname = `${base}${repeated ? path.slice(versionSegment.length) : path}`;
  for (const [name, value] of new URLSearchParams(query)) {
    if (!keyParameters.has(name.toLowerCase()) && !url.searchParams.has(name)) url.searchParams.append(name, value);
  }
  return { url: url.href, headers: keyHeaders(credential, url) };
}

function keyHeaders({ type, fields }: ModelCredential, url: URL): Record<string, string> {
  return fields.apiKey === undefined ? {} : vendors[type].authorize(fields.apiKey, url);
}
