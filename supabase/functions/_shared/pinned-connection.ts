import { Buffer } from "node:buffer";
import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { Agent, buildConnector } from "undici";
import { canonicalAddress } from "./address-policy.ts";

interface PinnedRequest {
  url: URL;
  /** Addresses that were checked, at least one. No other is connected to. */
  addresses: readonly string[];
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
  signal: AbortSignal;
}

/** The head of an answer, and its body as it arrives: raw bytes, still encoded. */
export interface PinnedResponse {
  status: number;
  /** Names in lower case; a header that came more than once is joined with a comma. */
  headers: Record<string, string>;
  body: Readable;
  /** Closes the connection. Must be called, also after the body has ended. */
  close(): void;
}

const connectTimeoutMs = 10_000;
const maxResponseHeaderBytes = 32_768;

/**
 * Sends one HTTP request over a connection of its own to one of the checked addresses. The name in the URL is still the
 * one that TLS verifies. The connection serves this request only: none is pooled, so none can be reused for another owner
 * or another hop. Rejects with the runtime's network error.
 */
export async function openPinnedConnection(request: PinnedRequest): Promise<PinnedResponse> {
  const agent = new Agent({
    connect: pinnedConnector(request.addresses),
    maxHeaderSize: maxResponseHeaderBytes,
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const close = (): void => void agent.destroy().catch(() => undefined);
  try {
    const response = await agent.request({
      origin: request.url.origin,
      path: `${request.url.pathname}${request.url.search}`,
      // The list of methods in undici's type is closed, its implementation takes any token.
      method: request.method as "GET",
      headers: { ...request.headers },
      body: request.body === null ? null : Buffer.from(request.body),
      signal: request.signal,
    });
    // A body that breaks before anyone reads it must not end the process; its reader still gets the error.
    response.body.on("error", () => undefined);
    return { status: response.statusCode, headers: flattenHeaders(response.headers), body: response.body, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Connects to the given addresses whatever the name resolves to by now. The address that the socket reached is compared
 * as well, so that a runtime that ignores `lookup` fails closed.
 */
function pinnedConnector(addresses: readonly string[]): buildConnector.connector {
  const permitted = new Set(addresses.map(canonicalAddress));
  const lookup: LookupFunction = (_hostname, options, callback) => {
    const answers = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const first = answers[0];
    if (first === undefined) callback(new Error("No address was permitted."), "", 4);
    else if (options.all === true) callback(null, answers);
    else callback(null, first.address, first.family);
  };
  const connect = buildConnector({ lookup, timeout: connectTimeoutMs, maxCachedSessions: 0, autoSelectFamily: true });
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      if (!permitted.has(canonicalAddress(socket.remoteAddress ?? ""))) {
        socket.destroy();
        return callback(new Error("The socket reached an address that was not checked."), null);
      }
      callback(null, socket);
    });
  };
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "__proto__")
      flat[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}
