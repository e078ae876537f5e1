import { mayCarrySecret } from "../attach-http-credential.ts";
import { targetPolicy, type FunctionContext } from "../endpoint.ts";
import { success, type Failure } from "../failure.ts";
import { guardedFetch } from "../guarded-fetch.ts";
import { checkTarget, type TargetPolicy } from "../target-policy.ts";

/** A refusal of the guard, thrown through the OAuth client, which knows only errors. */
export class OAuthFetchError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.name = "OAuthFetchError";
    this.failure = failure;
  }
}

/** A `fetch` as the OAuth client calls it. */
export type OAuthFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const maxBytes = 256 * 1024;
const timeoutMs = 15_000;

/**
 * `fetch` for the OAuth client of one MCP server: every address is checked as any that a stranger chose, since the server
 * names them. Only a server on this machine may name others on this machine, and only on a local installation. Redirects are
 * answers. Rejects with an OAuthFetchError.
 *
 * `secretHosts`, when given, are the only hosts that may be called: the requests carry a secret.
 */
export function createOAuthFetch(
  { environment, resolve }: Pick<FunctionContext, "environment" | "resolve">,
  serverUrl: string,
  options: { signal?: AbortSignal | undefined; secretHosts?: readonly string[] },
): OAuthFetch {
  const policy = oauthPolicy(environment, serverUrl);
  const { signal, secretHosts } = options;
  return async (url, init = {}) => {
    const answered = await guardedFetch(
      {
        url: String(url),
        method: init.method ?? "GET",
        headers: Object.fromEntries(new Headers(init.headers)),
        body: init.body === undefined || init.body === null ? null : await new Response(init.body).text(),
      },
      {
        ...policy,
        followRedirects: false,
        maxBytes: maxBytes,
        timeoutMs: timeoutMs,
        signal,
        resolve,
        attach: async (target) => {
          const carried = secretHosts === undefined ? success(null) : mayCarrySecret(secretHosts, target);
          return carried.ok ? success({}) : carried;
        },
      },
    );
    if (!answered.ok) throw new OAuthFetchError(answered.error);
    const { status, headers, body } = answered.value;
    const { "content-encoding": _decoded, "content-length": _length, ...kept } = headers;
    // Statuses that the web's own Response does not know, or only without a body, are none of OAuth's answers.
    if (status < 200 || status > 599 || [204, 205, 304].includes(status)) return new Response(null, { status: 502 });
    return new Response(body, { status, headers: kept });
  };
}

/** What the OAuth client of one MCP server may call: see `createOAuthFetch`. */
export function oauthPolicy(environment: FunctionContext["environment"], serverUrl: string): TargetPolicy {
  const policy = { ...targetPolicy(environment), allowLoopback: environment.isLocal };
  const server = checkTarget(serverUrl, policy);
  return { ...policy, allowLoopback: server.ok && server.value.trust === "loopback" };
}
