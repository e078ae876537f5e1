import ipaddr from "ipaddr.js";
import { classifyAddress, canonicalAddress } from "./address-policy.ts";
import { failure, success, type Failure, type Outcome } from "./failure.ts";
import { effectivePort, listsHost, type HostList } from "./host-list.ts";
import { type OutboundProxies, proxyFor, type ProxyServer } from "./outbound-proxy.ts";

/** Who may be called. Everything not public is refused unless one of these opens it. */
export interface TargetPolicy {
  /** Hosts that the operator opened (`STUDIO_ALLOW_HOSTS`). */
  allowHosts: HostList;
  /** Origins of the studio's own backend, which no request may reach, whatever else is allowed. */
  ownOrigins?: readonly string[] | undefined;
  /** Opens `localhost` and loopback literals; for model servers of a credential on a local installation. */
  allowLoopback?: boolean | undefined;
  /** Opens the ports of known services; for a database that a credential names. */
  servicePorts?: boolean | undefined;
  /** When given, only these hosts may be called. Narrows, never widens. */
  onlyHosts?: HostList | undefined;
  /** The operator's way to public hosts by http and https. Hosts in `allowHosts` and this machine are called directly. */
  proxies?: OutboundProxies | undefined;
}

/**
 * Why a target may be called: `public` its addresses must be public; `loopback` they must be this machine's; `named` the
 * operator named it, so private addresses are fine too.
 */
type Trust = "public" | "loopback" | "named";

/** An address that may be tried. `literal` is the IP address that the URL names itself, null for a host name. */
export interface Target {
  url: URL;
  port: number;
  literal: string | null;
  trust: Trust;
}

const privateSuffixes = [".localhost", ".local", ".internal", ".intranet", ".lan", ".corp", ".home", ".home.arpa"];

/** Ports of services that speak no HTTP or hold data, after the Fetch standard's bad ports and common databases. */
const servicePorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530,
  531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2181,
  2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5433, 5672, 5900, 6000, 6379, 6380, 6432,
  6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10080, 10250, 11211, 27017, 27018, 27019,
]);

const allowHint = "The operator of this Switchyard can open a private host by naming it in STUDIO_ALLOW_HOSTS.";

/** Checks a URL before any name is looked up: scheme, user info, host and port. */
export function checkTarget(text: string, policy: TargetPolicy): Outcome<Target> {
  if (!URL.canParse(text)) {
    return failure("invalid_url", "The URL is not a complete web address.", "Write it as https://host/path.");
  }
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return failure("invalid_url", `The scheme ${url.protocol} is not allowed.`, "Use an http or https address.");
  }
  if (url.username !== "" || url.password !== "") {
    return failure(
      "invalid_url",
      "The URL contains a user name or password.",
      "Remove them from the URL and choose a credential instead.",
    );
  }
  if (policy.onlyHosts !== undefined && !listsHost(policy.onlyHosts, url)) {
    return failure("blocked_address", `${url.host} is not one of the allowed hosts.`, "Add it to the allowed hosts.");
  }
  return checkHost(url, policy);
}

/** Addresses of one name that are tried, one after the other; an answer can hold thousands. */
const mostAddresses = 8;

/**
 * Chooses the addresses that may be connected to among those a name resolved to. Public and private answers mixed: only
 * the public ones are used, so that a name cannot lead inside.
 */
export function permittedAddresses(target: Target, addresses: readonly string[], policy: TargetPolicy): string[] {
  return addresses.filter((address) => isPermitted(target, address, policy)).slice(0, mostAddresses);
}

/** Whether no address of a name leads inside. */
export function arePermitted(target: Target, addresses: readonly string[], policy: TargetPolicy): boolean {
  return addresses.every((address) => isPermitted(target, address, policy));
}

function isPermitted(target: Target, address: string, policy: TargetPolicy): boolean {
  if (isOwnBackendAddress(target, address, policy)) return false;
  const kind = classifyAddress(address);
  if (target.url.hostname === "localhost") return kind === "loopback";
  switch (target.trust) {
    case "public":
      return kind === "public";
    case "loopback":
      return kind === "loopback";
    case "named":
      return kind !== "forbidden" || address === target.literal;
  }
}

/** The operator's proxy through which a target is called; null when it is called directly. */
export function proxyOf(target: Target, policy: TargetPolicy): ProxyServer | null {
  return target.trust === "public" && policy.proxies ? proxyFor(policy.proxies, target.url) : null;
}

/** The refusal for a host, in words that do not tell where its name leads. */
export function blockedAddress(host: string): { ok: false; error: Failure } {
  return failure(
    "blocked_address",
    `${host} is a private, local or reserved address and was not called.`,
    `Use a public address. ${allowHint}`,
  );
}

function checkHost(url: URL, policy: TargetPolicy): Outcome<Target> {
  const port = effectivePort(url);
  const literal = addressLiteral(url);
  if (isOwnBackendHost(url, port, policy)) {
    return failure(
      "blocked_address",
      `${url.host} is this studio's own backend and was not called.`,
      "Call a service outside the studio.",
    );
  }
  if (listsHost(policy.allowHosts, url)) return success({ url, port, literal, trust: "named" });
  if (policy.servicePorts !== true && servicePorts.has(port)) {
    return failure(
      "blocked_address",
      `Port ${port} belongs to a service that is not called over HTTP.`,
      `Use the port of a web server. ${allowHint}`,
    );
  }
  if (policy.allowLoopback === true && isLoopbackHost(url, literal)) {
    return success({ url, port, literal, trust: "loopback" });
  }
  const isInside = literal === null ? isPrivateName(url.hostname) : classifyAddress(literal) !== "public";
  return isInside ? blockedAddress(url.host) : success({ url, port, literal, trust: "public" });
}

/** The address a URL writes instead of a name; the URL parser has already read decimal, octal, hex and short forms. */
function addressLiteral(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(host) ? host : null;
}

function isLoopbackHost(url: URL, literal: string | null): boolean {
  return literal === null ? url.hostname === "localhost" : classifyAddress(literal) === "loopback";
}

/** Names that lead inside by convention (RFC 6761, RFC 6762, RFC 8375), and names without a dot. */
function isPrivateName(hostname: string): boolean {
  const name = hostname.replace(/\.+$/, "");
  return !name.includes(".") || privateSuffixes.some((suffix) => name.endsWith(suffix));
}

function isOwnBackendHost(url: URL, port: number, policy: TargetPolicy): boolean {
  return ownUrls(policy).some((own) =>
    isLocal(own) ? isLocal(url) && port === effectivePort(own) : url.hostname.replace(/\.+$/, "") === own.hostname,
  );
}

/** A name may lead to the backend's own address although it is spelled otherwise. */
function isOwnBackendAddress(target: Target, address: string, policy: TargetPolicy): boolean {
  return ownUrls(policy).some((own) => {
    if (target.port !== effectivePort(own)) return false;
    const ownLiteral = addressLiteral(own);
    if (ownLiteral !== null && canonicalAddress(ownLiteral) === canonicalAddress(address)) return true;
    return isLocal(own) && classifyAddress(canonicalAddress(address)) === "loopback";
  });
}

const ownUrls = ({ ownOrigins = [] }: TargetPolicy): URL[] => ownOrigins.map((origin) => new URL(origin));

function isLocal(url: URL): boolean {
  const literal = addressLiteral(url);
  if (literal !== null) {
    const address = canonicalAddress(literal);
    return classifyAddress(address) === "loopback" || address === "0.0.0.0" || address === "::";
  }
  const name = url.hostname.replace(/\.+$/, "");
  return name === "localhost" || name.endsWith(".localhost");
}
