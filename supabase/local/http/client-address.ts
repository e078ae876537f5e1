import type { IncomingMessage } from "node:http";
import { BlockList } from "node:net";
import ipaddr from "ipaddr.js";
import { networkOf } from "../../functions/_shared/caller-address.ts";
import { StartError } from "../start-error.ts";

/** The address that a request counts for; no more than a name where a proxy does not say whose it is. */
export type ClientAddress = (incoming: Pick<IncomingMessage, "socket" | "headers">) => string;

/** Whether an address is that of a proxy whose word counts. */
export type IsProxy = (address: string) => boolean;

/** Of those whom a proxy brings without saying from where, and of whom it says that they are of its own machine. */
const unnamed = "proxied";
/** Hops that are looked at; each proxy on the way has written one. */
const maxHops = 32;

/** Reads a list such as `127.0.0.1, 10.0.0.0/8`. Throws StartError on an entry that is neither an address nor a range. */
export function parseProxies(list: string): IsProxy {
  const proxies = new BlockList();
  for (const entry of list.split(/[\s,]+/).filter((text) => text !== "")) {
    try {
      const [address, bits] = ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : [ipaddr.process(entry), undefined];
      const family = address.kind();
      if (bits === undefined) proxies.addAddress(address.toString(), family);
      else proxies.addSubnet(address.toString(), bits, family);
    } catch {
      throw new StartError(
        `--trust-proxy takes no ${entry}.`,
        "Give it addresses or ranges of your proxies, such as 127.0.0.1,10.0.0.0/8.",
      );
    }
  }
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return proxies.check(parsed.toString(), parsed.kind());
  };
}

/**
 * Without proxies, the address of the connection, whatever headers say. Of a connection from a proxy that is trusted,
 * the right-most hop in `X-Forwarded-For` that is no such proxy: what stands to its left, anybody may have written. Who comes
 * by a proxy has none of the rights of this machine's own programs. No proxy connects to `innerPort`.
 */
export function createClientAddress(isProxy: IsProxy | undefined, innerPort?: number): ClientAddress {
  return ({ socket, headers }) => {
    const address = socket.remoteAddress ?? "";
    return isProxy?.(address) && socket.localPort !== innerPort
      ? forwardedBy(headers["x-forwarded-for"], isProxy)
      : address;
  };
}

function forwardedBy(header: string | string[] | undefined, isProxy: IsProxy): string {
  const hops = [header ?? []].flat().join(",").split(",").slice(-maxHops);
  let last = unnamed;
  for (const hop of hops.toReversed()) {
    const address = addressIn(hop);
    if (address === null) return unnamed;
    last = networkOf(address) === "loopback" ? unnamed : address;
    if (!isProxy(address)) return last;
  }
  return last;
}

/** Some proxies write a port behind the address. */
function addressIn(hop: string): string | null {
  const text = hop.trim();
  const [, bracketed, plain] = /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}

const forwardingHeaders = ["x-forwarded-for", "forwarded", "x-real-ip"];

/**
 * Says once that requests come by a proxy that is not trusted: then all its visitors count as one, and one on this machine is
 * taken for it.
 */
export function watchForProxies(
  isProxy: IsProxy | undefined,
  log: (line: string) => void,
): (incoming: Pick<IncomingMessage, "socket" | "headers">) => void {
  let isSaid = false;
  return ({ socket, headers }) => {
    const address = socket.remoteAddress ?? "";
    if (isSaid || !forwardingHeaders.some((name) => headers[name] !== undefined) || isProxy?.(address)) return;
    isSaid = true;
    const shown = ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
    log(
      `A proxy at ${shown} stands in front of this studio, or somebody there pretends so. All who come by it count as one visitor${networkOf(shown) === "loopback" ? ", and as programs of this machine" : ""}. If it is yours, start with --trust-proxy ${shown}.`,
    );
  };
}
