import { networkInterfaces } from "node:os";
import { isStrangersFile } from "./chat-site.ts";

/** What is looked at of a request, the web's or Node's. */
type Asked = Pick<Request, "method" | "url"> & { headers: { get(name: string): string | null } };

/** Why a request is refused, or null when it may pass. */
export type OriginGuard = (request: Asked) => string | null;

const wildcardHosts = new Set(["0.0.0.0", "::"]);

/**
 * Protects a server on a personal machine from web pages that the person happens to visit (S42). The Host header must
 * name this server, or another site's name could be pointed at it (DNS rebinding); an Origin must be our own; and the
 * API answers no request that a browser says another site has made.
 */
export function createOriginGuard(listening: {
  host: string;
  port: number;
  /** With TLS: whether the certificate is for a name. */
  certifies?: ((name: string) => boolean) | undefined;
  /** Where the functions reach the API without TLS; never a page's origin. */
  innerPort?: number | undefined;
  /** Further names that the operator gave it: at its own port, and at the usual ports of a proxy in front. */
  names?: readonly string[] | undefined;
}): OriginGuard {
  const { certifies, innerPort } = listening;
  const given = new Set((listening.names ?? []).map((name) => name.toLowerCase()));
  const scheme = certifies ? "https" : "http";
  const ownNames = new Set(["127.0.0.1", "localhost", "[::1]", ...namesOf(listening.host)]);
  const standardPort = certifies ? 443 : 80;
  const isOwn = (host: string) => {
    const { hostname, port } = split(host, standardPort);
    return port === listening.port && (ownNames.has(hostname) || certifies?.(hostname) === true);
  };
  const isGiven = (host: string, usualPort: number) => {
    const { hostname, port } = split(host, usualPort);
    return given.has(hostname) && (port === listening.port || port === usualPort);
  };
  const isOwnOrigin = (origin: string) => {
    const [, named, host = ""] = /^(https?):\/\/(.*)$/.exec(origin) ?? [];
    if (named === undefined) return false;
    return (named === scheme && isOwn(host)) || isGiven(host, named === "https" ? 443 : 80);
  };
  return (request) => {
    const host = request.headers.get("host")?.toLowerCase();
    const isInner = innerPort !== undefined && host === `127.0.0.1:${innerPort}`;
    const isKnown = (name: string) => isOwn(name) || isGiven(name, 443) || isGiven(name, 80);
    if (!host || !(isInner || isKnown(host))) return "This server does not answer to that host name.";
    // Doors are for other sites too. They know no session; each decides by key, signature or visitor.
    const { pathname } = new URL(request.url);
    if (isDoorPath(pathname) || (isStrangersFile(pathname) && request.method === "GET")) return null;
    const origin = request.headers.get("origin");
    if (origin !== null && !isOwnOrigin(origin)) {
      return "Requests from another origin are refused.";
    }
    const site = request.headers.get("sec-fetch-site");
    const isForeign = site === "cross-site" || site === "same-site";
    const isNavigation = request.headers.get("sec-fetch-mode") === "navigate" && request.method === "GET";
    if (isForeign && !(isNavigation && !isApiPath(pathname))) {
      return "Requests from another site are refused.";
    }
    return null;
  };
}

/** Paths that carry data rather than the site, also where their letters are percent-encoded, as the router reads them. */
export function isApiPath(pathname: string): boolean {
  const plain = pathname.replace(/%([0-7][0-9a-f])/gi, (_mark, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  return /^\/(rest|auth|functions|storage|realtime|live|operator)\/v1(\/|$)/.test(plain);
}

/** Paths at which programs and visitors reach published workflows, as they are written. */
export function isDoorPath(pathname: string): boolean {
  return /^\/(?:(?:v1|api|hooks|c-api|s-api|a2a)\/|mcp(?:\/|$))/.test(pathname);
}

function namesOf(host: string): string[] {
  const names = wildcardHosts.has(host)
    ? Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
    : [host];
  return names.map((name) => name.toLowerCase()).map((name) => (name.includes(":") ? `[${name.split("%")[0]}]` : name));
}

function split(host: string, standardPort: number): { hostname: string; port: number } {
  const [, hostname, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? [];
  return { hostname: hostname ?? "", port: port === undefined ? standardPort : Number(port) };
}
