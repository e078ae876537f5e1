import type { Authorize, PathRule } from "./vendor.ts";

const hosts = /\.(openai\.azure\.(com|us|cn)|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/;

/** Azure's older addresses name the deployment in the path (Azure OpenAI REST reference, "Chat completions"). */
export const azurePaths: readonly PathRule[] = [
  {
    method: "POST",
    path: /^\/openai\/deployments\/[A-Za-z0-9._-]+\/(chat\/completions|embeddings|audio\/transcriptions)$/,
  },
];

/** Azure's hosts take the key in a header of their own (Azure OpenAI REST reference, "Authentication"). */
export function azureOr(other: Authorize): Authorize {
  return (apiKey, url) => (hosts.test(url.hostname) ? { "api-key": apiKey } : other(apiKey, url));
}

/**
 * What lists models at an Azure address: that of a deployment lists nothing, that of the resource does (Azure OpenAI REST
 * reference, "Models - List"). Undefined elsewhere.
 */
export function azureCheck(base: URL): URL | undefined {
  if (!hosts.test(base.hostname) || /\/v1\/?$/.test(base.pathname)) return undefined;
  return new URL("/openai/models?api-version=2024-10-21", base);
}
