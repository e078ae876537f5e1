import type { ModelCredential } from "./credential-types.ts";
import { failure, success, type Outcome } from "./failure.ts";

type PathRule = { method: "GET" | "POST"; path: RegExp };

type Vendor = {
  /** Base URL when the credential has none of its own. */
  baseUrl: string | null;
  /** A version segment that clients put in the path; dropped when the base URL already ends with it. */
  versionSegment: string | null;
  paths: readonly PathRule[];
  /** A request that costs nothing and needs the key. */
  check: { path: string; query: string };
  authorize(apiKey: string, url: URL): Record<string, string>;
};

/** One segment of a model name; `/` separates segments, so that names such as `meta-llama/Llama-3` pass. */
const NAME = String.raw`[A-Za-z0-9_.:@~-]+(?:/[A-Za-z0-9_.:@~-]+)*`;

const OPENAI_PATHS: readonly PathRule[] = [
  { method: "POST", path: /^\/(chat\/completions|responses|embeddings|completions)$/ },
  { method: "GET", path: new RegExp(`^/models(/${NAME})?$`) },
];

/** Azure's older addresses name the deployment in the path (Azure OpenAI REST reference, "Chat completions"). */
const AZURE_PATHS: readonly PathRule[] = [
  { method: "POST", path: /^\/openai\/deployments\/[A-Za-z0-9._-]+\/(chat\/completions|embeddings)$/ },
];

const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });

const AZURE_HOST = /\.(openai\.azure\.(com|us|cn)|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/;

/** Azure's hosts take the key in a header of their own (Azure OpenAI REST reference, "Authentication"). */
const bearerOrAzureKey = (apiKey: string, url: URL): Record<string, string> =>
  AZURE_HOST.test(url.hostname) ? { "api-key": apiKey } : bearer(apiKey);

/** What each vendor's API allows here, from their API references. */
const VENDORS: Record<ModelCredential["type"], Vendor> = {
  openai: {
    baseUrl: "https://api.openai.com/v1",
    versionSegment: null,
    paths: OPENAI_PATHS,
    check: { path: "/models", query: "" },
    authorize: bearerOrAzureKey,
  },
  "openai-compatible": {
    baseUrl: null,
    versionSegment: null,
    paths: [...OPENAI_PATHS, ...AZURE_PATHS],
    check: { path: "/models", query: "" },
    authorize: bearerOrAzureKey,
  },
  anthropic: {
    baseUrl: "https://api.anthropic.com",
    versionSegment: "/v1",
    paths: [
      { method: "POST", path: /^\/v1\/messages(\/count_tokens)?$/ },
      { method: "GET", path: new RegExp(`^/v1/models(/${NAME})?$`) },
    ],
    check: { path: "/v1/models", query: "limit=1" },
    authorize: (apiKey) => ({ "x-api-key": apiKey }),
  },
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com",
    versionSegment: "/v1beta",
    paths: [
      {
        method: "POST",
        path: new RegExp(
          `^/v1(beta|alpha)?/(models|tunedModels)/${NAME}:(generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$`,
        ),
      },
      { method: "GET", path: new RegExp(`^/v1(beta|alpha)?/models(/${NAME})?$`) },
    ],
    check: { path: "/v1beta/models", query: "pageSize=1" },
    authorize: (apiKey) => ({ "x-goog-api-key": apiKey }),
  },
};

/** Query parameters in which clients send keys; the key that counts is the stored one. */
const KEY_PARAMETERS: ReadonlySet<string> = new Set([
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
  const address = credential.fields.baseUrl ?? VENDORS[credential.type].baseUrl;
  if (address === null) throw new Error("A compatible server always has a base URL.");
  return new URL(address);
}

/**
 * The cheap request that shows whether a credential works: a list of models, or what asks for the key where that list is
 * open to anyone. Answers its URL and the headers that carry the key; method GET.
 */
export function vendorCheck(credential: ModelCredential): { url: string; headers: Record<string, string> } {
  const base = vendorBaseUrl(credential);
  // OpenRouter lists its models to everybody (OpenRouter API reference, "Get current API key").
  if (base.hostname === "openrouter.ai") return build(credential, "/key", "");
  if (AZURE_HOST.test(base.hostname) && !/\/v1\/?$/.test(base.pathname)) {
    // The address of a deployment lists nothing; that of the resource does (Azure OpenAI REST reference, "Models - List").
    const url = new URL("/openai/models?api-version=2024-10-21", base);
    return { url: url.href, headers: keyHeaders(credential, url) };
  }
  const { path, query } = VENDORS[credential.type].check;
  return build(credential, path, query);
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
  const vendor = VENDORS[credential.type];
  const rules = vendor.paths.filter((rule) => method === undefined || rule.method === method);
  if (path.includes("..") || !rules.some((rule) => rule.path.test(path))) {
    return failure(
      "invalid_config",
      "This path is not part of the provider's model API.",
      "Only chat, message, response, embedding and model-list requests pass.",
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
  const { versionSegment } = VENDORS[credential.type];
  const repeated = versionSegment !== null && base.endsWith(versionSegment) && path.startsWith(`${versionSegment}/`);
  url.pathname = `${base}${repeated ? path.slice(versionSegment.length) : path}`;
  for (const [name, value] of new URLSearchParams(query)) {
    if (!KEY_PARAMETERS.has(name.toLowerCase()) && !url.searchParams.has(name)) url.searchParams.append(name, value);
  }
  return { url: url.href, headers: keyHeaders(credential, url) };
}

function keyHeaders({ type, fields }: ModelCredential, url: URL): Record<string, string> {
  return fields.apiKey === undefined ? {} : VENDORS[type].authorize(fields.apiKey, url);
}
