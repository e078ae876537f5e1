import { Buffer } from "node:buffer";
import ipaddr from "ipaddr.js";
import { effectivePort, parseHostEntry } from "./host-list.ts";

/** A server of the operator that opens connections for others by HTTP's CONNECT (RFC 9110 §9.3.6). */
export interface ProxyServer {
  /** Scheme, host and port, without the user's name and password. */
  origin: string;
  /** What it wants as `Proxy-Authorization`; null where it asks for nothing. */
  authorization: string | null;
}

/** The way to public places, where the operator named one; null for URLs of a scheme that go directly. */
export interface OutboundProxies {
  http: ProxyServer | null;
  https: ProxyServer | null;
  /** Hosts that are called directly. */
  direct: readonly DirectHost[];
}

/** One entry of NO_PROXY. A name stands for its subdomains as well, and an entry without a port for every port. */
type DirectHost =
  | { kind: "all" }
  | { kind: "host"; host: string; port: number | null }
  | { kind: "range"; range: [ipaddr.IPv4 | ipaddr.IPv6, number] };

/** The proxies as an operator writes them, under the names by which the functions are told. */
export interface ProxyVariables {
  STUDIO_HTTP_PROXY: string;
  STUDIO_HTTPS_PROXY: string;
  STUDIO_NO_PROXY: string;
}

/**
 * Takes `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in lower case too, from an operator's environment. Functions get them by
 * other names, since Deno would send the functions' calls of the studio itself through those it knows.
 */
export function proxyVariables(environment: Readonly<Record<string, string | undefined>>): ProxyVariables {
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || "";
  return {
    STUDIO_HTTP_PROXY: read("HTTP_PROXY"),
    STUDIO_HTTPS_PROXY: read("HTTPS_PROXY"),
    STUDIO_NO_PROXY: read("NO_PROXY"),
  };
}

/** A proxy's address that cannot be used. Its message names the variable, and never the value, which may hold a password. */
export class ProxyAddressError extends Error {
  override readonly name = "ProxyAddressError";
  readonly hint = "Write it as http://proxy.example.com:3128 or https://user:password@proxy.example.com:3128.";
}

/** Reads the variables; undefined when no proxy is named. Throws `ProxyAddressError`. */
export function readProxies(variables: ProxyVariables): OutboundProxies | undefined {
  const http = readServer("HTTP_PROXY", variables.STUDIO_HTTP_PROXY);
  const https = readServer("HTTPS_PROXY", variables.STUDIO_HTTPS_PROXY);
  if (http === null && https === null) return undefined;
  const direct = entriesOf(variables.STUDIO_NO_PROXY).flatMap((entry) => readDirectHost(entry) ?? []);
  return { http, https, direct };
}

/** The proxy through which a public URL is called; null when it is called directly. */
export function proxyFor(proxies: OutboundProxies, url: URL): ProxyServer | null {
  const server = url.protocol === "https:" ? proxies.https : proxies.http;
  return server === null || proxies.direct.some((entry) => isDirect(entry, url)) ? null : server;
}

/** One line for the operator, without a password; null when no proxy is named. Throws `ProxyAddressError`. */
export function describeProxies(variables: ProxyVariables): string | null {
  const proxies = readProxies(variables);
  if (proxies === undefined) return null;
  const way = (scheme: "http" | "https"): string =>
    `${scheme} ${proxies[scheme] ? `through ${proxies[scheme].origin}` : "directly"}`;
  const isOne = proxies.http?.origin === proxies.https?.origin;
  const ways = isOne ? `through ${proxies.http?.origin}` : `${way("https")}, ${way("http")}`;
  const entries = entriesOf(variables.STUDIO_NO_PROXY);
  const known = entries.filter((entry) => readDirectHost(entry) !== null);
  const unknown = entries.filter((entry) => readDirectHost(entry) === null);
  const except = known.length === 0 ? "" : `, except ${known.join(", ")}`;
  const ignored = unknown.length === 0 ? "" : ` Ignored in NO_PROXY: ${unknown.join(", ")}.`;
  return `Workflows call the internet ${ways}${except}.${ignored}`;
}

function readServer(name: string, text: string): ProxyServer | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const written = trimmed.includes("://") ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(written)) throw new ProxyAddressError(`${name} is not the address of a proxy.`);
  const url = new URL(written);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ProxyAddressError(
      `${name} has the scheme ${url.protocol}//; only http:// and https:// proxies are supported.`,
    );
  }
  const [user, password] = [url.username, url.password].map((part) => decoded(name, part));
  const named = user !== "" || password !== "";
  const authorization = named ? `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` : null;
  return { origin: url.origin, authorization };
}

function decoded(name: string, part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ProxyAddressError(`The user name or password in ${name} has a % that must be written as %25.`);
  }
}

const entriesOf = (text: string): string[] => text.split(/[\s,]+/).filter((entry) => entry !== "");

/** Null for what is no entry. */
function readDirectHost(text: string): DirectHost | null {
  if (text === "*") return { kind: "all" };
  if (ipaddr.isValidCIDR(text)) return { kind: "range", range: ipaddr.parseCIDR(text) };
  const entry = parseHostEntry(ipaddr.IPv6.isValid(text) ? `[${text}]` : text.replace(/^\*?\./, ""));
  return entry && { kind: "host", host: withoutEndDot(entry.host), port: entry.port };
}

function isDirect(entry: DirectHost, url: URL): boolean {
  const name = withoutEndDot(url.hostname);
  switch (entry.kind) {
    case "all":
      return true;
    case "host":
      if (entry.port !== null && entry.port !== effectivePort(url)) return false;
      return name === entry.host || name.endsWith(`.${entry.host}`);
    case "range":
      return isWithin(name.replace(/^\[|\]$/g, ""), entry.range);
    default:
      return entry satisfies never;
  }
}

function isWithin(text: string, range: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.kind() === range[0].kind() && address.match(range);
}

const withoutEndDot = (name: string): string => name.replace(/\.$/, "");
