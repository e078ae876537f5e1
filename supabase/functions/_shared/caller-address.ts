import ipaddr from "ipaddr.js";

/** Set by the embedded gateway, which drops one that a client sends. */
export const addressHeader = "x-switchyard-client";

/** From functions to the embedded gateway, with the service key: the network of the visitor for whom they ask. */
export const visitorHeader = "x-switchyard-visitor";

/** Where the caller reaches the embedded gateway, such as `http://127.0.0.1:4700`; set by the gateway like the address. */
export const originHeader = "x-switchyard-origin";

/**
 * A number that is another one whenever an account, a session or a credential may have changed; set by the gateway like the
 * address. Without a gateway there is none.
 */
export const accessHeader = "x-switchyard-access";

/**
 * As whom a function takes turns at the database: a publication, a key, an account or a network; set by the gateway like the
 * address, and sent back to it with the function's own calls. Without a gateway there are no turns.
 */
export const partyHeader = "x-switchyard-party";

/** How much more an address of loopback may do: this machine's own programs, and a proxy that is not known as one. */
export const loopbackFactor = 20;

/**
 * The network that a request comes from, for counting: an IPv4 address, or 64 bits of an IPv6 address, since one machine has
 * many of those. Behind the embedded gateway its header counts; hosted, the last address of `x-forwarded-for`, which the
 * platform has added itself.
 */
export function callerNetwork(headers: Headers, isBehindGateway: boolean): string {
  const given = isBehindGateway ? headers.get(addressHeader) : headers.get("x-forwarded-for")?.split(",").at(-1);
  return networkOf(given?.trim() ?? "");
}

/** The network of an address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.range() === "loopback") return "loopback";
  return parsed.kind() === "ipv4" ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}
