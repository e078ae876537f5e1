import { networkInterfaces } from "node:os";

/** Why a request is refused, or null when it may pass. */
export type OriginGuard = (request: Request) => string | null;

const wildcardHosts = new Set(["0.0.0.0", "::"]);

/**
 * Protects a server on a personal machine from web pages that the person happens to visit (S42). The Host header must
 * name this server, or another site's name could be pointed at it (DNS rebinding); an Origin must be our own; and the
 * API answers no request that a browser says another site has made.
 */
export function createOriginGuard(listening: { host: string; port: number }): OriginGuard {
  const hosts = new Set(["127.0.0.1", "localhost", "[::1]", ...namesOf(listening.host)].map(withPort(listening.port)));
  const origins = new Set([...hosts].map((host) => `http://${host}`));
  return (request) => {
    const host = request.headers.get("host")?.toLowerCase();
    if (!host || !hosts.has(host)) return "This server does not answer to that host name.";
    const origin = request.headers.get("origin");
    if (origin !== null && !origins.has(origin)) return "Requests from another origin are refused.";
    const site = request.headers.get("sec-fetch-site");
    const isForeign = site === "cross-site" || site === "same-site";
    const isNavigation = request.headers.get("sec-fetch-mode") === "navigate" && request.method === "GET";
    if (isForeign && !(isNavigation && !isApiPath(new URL(request.url).pathname))) {
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
  return /^\/(rest|auth|functions|storage|realtime)\/v1(\/|$)/.test(plain);
}

function namesOf(host: string): string[] {
  const names = wildcardHosts.has(host)
    ? Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
    : [host];
  return names.map((name) => name.toLowerCase()).map((name) => (name.includes(":") ? `[${name.split("%")[0]}]` : name));
}

function withPort(port: number): (host: string) => string {
  return (host) => (port === 80 ? host : `${host}:${port}`);
}
