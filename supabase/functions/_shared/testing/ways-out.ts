import { executeHttp } from "../../execute-http/execute-http.ts";
import { proxyModelCall } from "../../llm-proxy/proxy-model-call.ts";
import { proxyMcpCall } from "../../mcp-proxy/proxy-mcp-call.ts";
import { failure, success, type Failure } from "../failure.ts";
import { parseHostList } from "../host-list.ts";
import type { OutboundProxies } from "../outbound-proxy.ts";
import type { ResolveHost } from "../resolve-host.ts";
import type { TargetPolicy } from "../target-policy.ts";

interface WayOutOptions {
  /** As an operator writes STUDIO_ALLOW_HOSTS. */
  allow?: string;
  resolve?: ResolveHost;
  ownOrigin?: string;
  proxies?: OutboundProxies;
  timeoutMs?: number;
  signal?: AbortSignal;
}

interface WayOutResult {
  error: Failure | null;
  status: number;
  body: string;
}

/** One function that opens connections, reduced to what all of them must do alike: POST to an address under a base. */
interface WayOut {
  name: string;
  call(base: string, options?: WayOutOptions): Promise<WayOutResult>;
}

/** The secret of the credential that every way out carries. */
export const canary = "test-key-canary-0123456789abcdef";

/**
 * Every function that opens a connection to a place that somebody chose. `base` is the part of the URL before the path;
 * the path is always `/chat/completions`.
 */
export const waysOut: readonly WayOut[] = [
  {
    name: "execute-http",
    async call(base, options = {}) {
      const host = URL.canParse(base) ? new URL(base).host : "example.com";
      const result = await executeHttp(
        {
          method: "POST",
          url: `${base}/chat/completions`,
          body: { hello: true },
          credential: "canary",
          timeoutMs: options.timeoutMs,
        },
        {
          policy: policyOf(options),
          resolve: options.resolve,
          signal: options.signal,
          findCredential: async () =>
            success({
              type: "http-bearer",
              allowedHosts: [host],
              open: async () => success({ type: "http-bearer", fields: { token: canary } }),
            }),
        },
      );
      if (!result.ok) return { error: result.error, status: 0, body: "" };
      const { error, statusCode, body } = result.value;
      return { error: error ?? null, status: statusCode, body: body ?? "" };
    },
  },
  {
    name: "llm-proxy",
    async call(base, options = {}) {
      if (!URL.canParse(base)) {
        return { error: failure("invalid_url", "The base URL is none.", "").error, status: 0, body: "" };
      }
      const answered = await proxyModelCall(
        {
          method: "POST",
          path: "/chat/completions",
          query: "",
          headers: new Headers({ "content-type": "application/json" }),
          body: new TextEncoder().encode('{"hello":true}'),
        },
        {
          name: "Canary",
          credential: { type: "openai-compatible", fields: { baseUrl: base, apiKey: canary } },
          allowedHosts: [new URL(base).host],
        },
        { policy: policyOf(options), allowLoopback: false, resolve: options.resolve, signal: options.signal },
      );
      if (!answered.ok) return { error: answered.error, status: 0, body: "" };
      return { error: null, status: answered.value.status, body: await answered.value.text() };
    },
  },
  {
    name: "mcp-proxy",
    async call(base, options = {}) {
      const host = URL.canParse(base) ? new URL(base).host : "example.com";
      const answered = await proxyMcpCall(
        {
          method: "POST",
          url: `${base}/chat/completions`,
          headers: new Headers({ "content-type": "application/json" }),
          body: new TextEncoder().encode('{"hello":true}'),
        },
        { credential: { type: "http-bearer", fields: { token: canary } }, allowedHosts: [host] },
        { policy: policyOf(options), allowLoopback: false, resolve: options.resolve, signal: options.signal },
      );
      if (!answered.ok) return { error: answered.error, status: 0, body: "" };
      return { error: null, status: answered.value.status, body: await answered.value.text() };
    },
  },
];

function policyOf(options: WayOutOptions): TargetPolicy {
  return {
    allowHosts: parseHostList(options.allow ?? "").list,
    proxies: options.proxies,
    ownOrigins: options.ownOrigin === undefined ? [] : [options.ownOrigin],
  };
}
