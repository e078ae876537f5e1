import type { IdleConnection, OwnConnections } from "./connection-pool.ts";
import { decodeBody, acceptedEncodings } from "./decode-body.ts";
import { failure, success, type Failure, type Outcome } from "./failure.ts";
import { cancelledFailure, networkFailure, timeoutFailure } from "./network-failure.ts";
import type { ProxyServer } from "./outbound-proxy.ts";
import {
  openPinnedConnection,
  type PinnedResponse,
  type RequestBody,
  reuseConnection,
  type Route,
} from "./pinned-connection.ts";
import { checkRequestHeaders, headersForOtherOrigin, headersWithoutBody } from "./request-headers.ts";
import { lookUpHost, type ResolveHost } from "./resolve-host.ts";
import {
  arePermitted,
  blockedAddress,
  checkTarget,
  permittedAddresses,
  proxyOf,
  type Target,
  type TargetPolicy,
} from "./target-policy.ts";

/** One HTTP request as the caller wants it; GET by default. */
export interface GuardedRequest {
  url: string;
  method?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  body?: RequestBody | undefined;
}

/** What carries a secret. `path`: values for names that stand in braces in the URL's path. */
export interface AttachedSecret {
  headers?: Record<string, string>;
  query?: Record<string, string>;
  path?: Record<string, string>;
}

/**
 * Adds a secret to a request. Asked only after the target's addresses were checked, and only for the origin that the
 * request began with. Its headers win over the caller's.
 */
export type AttachSecret = (target: Target) => Promise<Outcome<AttachedSecret>>;

/** Where it may go, and what is added on the way. */
export type ExchangeOptions = TargetPolicy & {
  /** Default true. When false, a redirect is the answer. */
  followRedirects?: boolean | undefined;
  /** Default 5, at most 5. */
  maxRedirects?: number | undefined;
  attach?: AttachSecret | undefined;
  /** Default: the machine's resolver. Each new connection asks once. */
  resolve?: ResolveHost | undefined;
  /**
   * Connections to use again and to keep. Only for a request that may be made twice, since a server can close one while the
   * request is on its way. Default: each request has its own.
   */
  connections?: OwnConnections | undefined;
};

/** An answer whose body has not been read. `body` is decoded; reading it rejects when the connection breaks. */
export interface Exchange {
  status: number;
  headers: Record<string, string>;
  /** The URL that answered, without anything that was attached. */
  url: string;
  body: AsyncIterable<Uint8Array>;
  close(): void;
}

/** What stopped an exchange from outside: its caller or its clock. */
type StopReason = "cancelled" | "timeout";

const maxRedirects = 5;
/** Where only the proxy knows names of the internet, this machine's resolver may never answer. */
const proxiedLookupMs = 3_000;
const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
const redirectStatus: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Hop {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: RequestBody;
  /** Whether every hop so far stayed on the first origin. */
  sameOrigin: boolean;
}

/**
 * Opens a request under the rules for everything that leaves the studio: the URL and every address of its name are
 * checked, the checked address is the one connected to, and every redirect starts over. Ends at the answer's headers.
 * When `signal` aborts, its reason tells a timeout from a cancelled call.
 */
export async function openExchange(
  request: GuardedRequest,
  options: ExchangeOptions,
  signal: AbortSignal,
): Promise<Outcome<Exchange>> {
  const method = (request.method ?? "GET").toUpperCase();
  if (!methods.has(method)) {
    return failure("invalid_config", "The request's method is not known.", `Use one of ${[...methods].join(", ")}.`);
  }
  const headers = checkRequestHeaders(request.headers ?? {});
  if (!headers.ok) return headers;
  const body = method === "HEAD" || request.body === undefined ? null : request.body;
  let hop: Hop = { url: request.url, method, headers: headers.value, body, sameOrigin: true };
  const limit = Math.min(options.maxRedirects ?? maxRedirects, maxRedirects);
  for (let redirects = 0; ; redirects += 1) {
    const opened = await openHop(hop, options, signal);
    if (!opened.ok) return opened;
    const response = opened.value;
    const location = response.headers["location"];
    if (options.followRedirects === false || location === undefined || !redirectStatus.has(response.status)) {
      return finishHop(hop, response);
    }
    response.close();
    if (redirects >= limit) {
      return failure(
        "too_many_redirects",
        `The server redirected more than ${limit} times.`,
        "Use the final address, or raise the number of redirects (at most 5).",
      );
    }
    const next = nextHop(hop, response.status, location);
    if (!next.ok) return next;
    hop = next.value;
  }
}

/** How a name in braces stands in the path of a URL. */
export function pathPlace(name: string): string {
  return encodeURIComponent(`{${name}}`);
}

/** Why a stopped exchange ended, as a failure. */
export function stopFailure(reason: StopReason, host: string): { ok: false; error: Failure } {
  return reason === "timeout" ? timeoutFailure(host) : cancelledFailure();
}

async function openHop(hop: Hop, options: ExchangeOptions, signal: AbortSignal): Promise<Outcome<PinnedResponse>> {
  const checked = checkTarget(hop.url, options);
  if (!checked.ok) return checked;
  const target = checked.value;
  const own = hop.sameOrigin ? options.connections : undefined;
  try {
    const kept = takeConnection(target, options, own);
    const found = kept ? null : await findRoute(target, options, signal);
    if (found?.ok === false) return found;
    const attached = hop.sameOrigin && options.attach !== undefined ? await options.attach(target) : success({});
    if (kept && (!attached.ok || signal.aborted)) own?.keep(target.url.origin, kept);
    if (!attached.ok) return attached;
    const extra: AttachedSecret = attached.value;
    const url = new URL(target.url);
    for (const [name, value] of Object.entries(extra.query ?? {})) url.searchParams.set(name, value);
    for (const [name, value] of Object.entries(extra.path ?? {})) {
      url.pathname = url.pathname.replaceAll(pathPlace(name), encodeURIComponent(value).replaceAll("%3A", ":"));
    }
    signal.throwIfAborted();
    const headers = { accept: "*/*", "user-agent": "Switchyard", ...hop.headers, ...extra.headers };
    const request = {
      url,
      method: hop.method,
      headers: { ...headers, "accept-encoding": acceptedEncodings },
      body: hop.body,
      signal,
    };
    const reused = kept && own ? await reuseConnection(kept, request, own) : null;
    if (reused !== null) return success(reused);
    const route = found ?? (await findRoute(target, options, signal));
    return route.ok ? success(await openPinnedConnection(request, route.value, own)) : route;
  } catch (error) {
    return signal.aborted ? stopFailure(stopReason(signal), target.url.host) : networkFailure(error, target.url.host);
  }
}

/** One that was kept, whose addresses may still be called. */
function takeConnection(
  target: Target,
  options: ExchangeOptions,
  own: OwnConnections | undefined,
): IdleConnection | undefined {
  const kept = own?.take(target.url.origin);
  if (!kept || permittedAddresses(target, kept.addresses, options).length === kept.addresses.length) return kept;
  void kept.client.destroy().catch(() => undefined);
  return undefined;
}

async function findRoute(target: Target, options: ExchangeOptions, signal: AbortSignal): Promise<Outcome<Route>> {
  const proxy = proxyOf(target, options);
  if (proxy !== null) return findProxiedRoute(target, proxy, options, signal);
  const answers =
    target.literal === null ? await lookUpHost(target.url.hostname, signal, options.resolve) : [target.literal];
  const addresses = permittedAddresses(target, answers, options);
  return addresses.length === 0 ? blockedAddress(target.url.host) : success({ addresses, proxy: null });
}

/**
 * The proxy connects to what its own resolver says. What ours says is only a reason to refuse: it may not know names of the
 * internet, and a name with any private answer could lead the proxy inside.
 */
async function findProxiedRoute(
  target: Target,
  proxy: ProxyServer,
  options: ExchangeOptions,
  signal: AbortSignal,
): Promise<Outcome<Route>> {
  const { host, hostname } = target.url;
  if (target.literal !== null) {
    return failure(
      "blocked_address",
      `${host} is an address without a name, which is not called through the operator's proxy.`,
      "Use the name of the server, or let the operator list the address in NO_PROXY.",
    );
  }
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(proxiedLookupMs)]);
  const addresses = await lookUpHost(hostname, inTime, options.resolve).catch(() => []);
  signal.throwIfAborted();
  return arePermitted(target, addresses, options) ? success({ addresses, proxy }) : blockedAddress(host);
}

function finishHop(hop: Hop, response: PinnedResponse): Outcome<Exchange> {
  const decoded =
    hop.method === "HEAD" ? response.body : decodeBody(response.body, response.headers["content-encoding"]);
  if (decoded === null) {
    response.close();
    return failure("network", "The server used an encoding that is not supported.", "Ask it for gzip or none.");
  }
  const { status, headers, close } = response;
  return success({ status, headers, url: hop.url, body: decoded, close });
}

function nextHop(hop: Hop, status: number, location: string): Outcome<Hop> {
  const from = new URL(hop.url);
  if (!URL.canParse(location, from)) {
    return failure(
      "invalid_url",
      "The server redirected to something that is not a web address.",
      "Use the final address.",
    );
  }
  const to = new URL(location, from);
  const sameOrigin = hop.sameOrigin && to.origin === from.origin;
  const becomesGet = (status === 303 && hop.method !== "HEAD") || (status <= 302 && hop.method === "POST");
  const method = becomesGet ? "GET" : hop.method;
  const body = becomesGet ? null : hop.body;
  if (body !== null && to.origin !== from.origin) {
    return failure(
      "redirect_refused",
      "The server asked to send the request's body to another origin, which was not done.",
      "Send the request to the final address directly.",
    );
  }
  const kept = sameOrigin ? hop.headers : headersForOtherOrigin(hop.headers);
  return success({ url: to.href, method, body, sameOrigin, headers: becomesGet ? headersWithoutBody(kept) : kept });
}

function stopReason(signal: AbortSignal): StopReason {
  return signal.reason instanceof Error && signal.reason.message === "timeout" ? "timeout" : "cancelled";
}
