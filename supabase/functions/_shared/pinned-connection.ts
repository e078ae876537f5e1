import { Buffer } from "node:buffer";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { buildConnector, Client } from "undici";
import { canonicalAddress } from "./address-policy.ts";
import type { IdleConnection, OwnConnections } from "./connection-pool.ts";
import type { ProxyServer } from "./outbound-proxy.ts";
import { tunnelConnector } from "./tunnel-connector.ts";

/**
 * Where a connection goes: to one of these checked addresses, or through the operator's proxy, which looks for the name itself.
 */
export interface Route {
  addresses: readonly string[];
  proxy: ProxyServer | null;
}

/** A body that is sent while it is read, once for each request that carries it. */
export interface StreamedBody {
  /** Bytes. */
  size: number;
  open(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** What a request carries. */
export type RequestBody = string | Uint8Array | StreamedBody | null;

interface PinnedRequest {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: RequestBody;
  signal: AbortSignal;
}

/** The head of an answer, and its body as it arrives: raw bytes, still encoded. */
export interface PinnedResponse {
  status: number;
  /** Names in lower case; a header that came more than once is joined with a comma. */
  headers: Record<string, string>;
  body: Readable;
  /** Closes the connection, or keeps it where that was asked for. Must be called, also after the body has ended. */
  close(): void;
}

const connectTimeoutMs = 10_000;
const maxResponseHeaderBytes = 32_768;
/** Servers close idle connections after a minute or more, or say when. */
const keptMs = 30_000;

/**
 * Sends one HTTP request over a connection to one of the checked addresses, of which there is at least one; no other is
 * connected to. Where a proxy is named, its tunnel takes the place of the address. The name in the URL is still the one that TLS
 * verifies. Without `own` the connection serves this request only. Rejects with the runtime's network error.
 */
export function openPinnedConnection(
  request: PinnedRequest,
  { addresses, proxy }: Route,
  own?: OwnConnections,
): Promise<PinnedResponse> {
  const client = new Client(request.url.origin, {
    connect: proxy === null ? pinnedConnector(addresses) : tunnelConnector(proxy),
    maxHeaderSize: maxResponseHeaderBytes,
    pipelining: own === undefined ? 0 : 1,
    keepAliveTimeout: keptMs,
    keepAliveMaxTimeout: keptMs,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return sendOver({ client, addresses }, request, own);
}

/**
 * Sends the request over a connection that was kept. Null when it turns out to be closed before an answer began: a request
 * that may be made twice is then made over a new one.
 */
export async function reuseConnection(
  kept: IdleConnection,
  request: PinnedRequest,
  own: OwnConnections,
): Promise<PinnedResponse | null> {
  try {
    return await sendOver(kept, request, own);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!request.signal.aborted && closedCodes.has(code)) return null;
    throw error;
  }
}

/** What undici and the socket say of a connection that the other side has closed. */
const closedCodes: ReadonlySet<string> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "ECONNABORTED", "EPIPE"]);

async function sendOver(
  connection: IdleConnection,
  { url, method, headers, body, signal }: PinnedRequest,
  own: OwnConnections | undefined,
): Promise<PinnedResponse> {
  const { client } = connection;
  const destroy = (): void => void client.destroy().catch(() => undefined);
  // undici hears of the signal only once it is connected.
  signal.addEventListener("abort", destroy, { once: true });
  try {
    const response = await client.request({
      path: `${url.pathname}${url.search}`,
      // The list of methods in undici's type is closed, its implementation takes any token.
      method: method as "GET",
      ...(isStreamed(body)
        ? {
            headers: { ...headers, "content-length": String(body.size) },
            body: Readable.from(await body.open(signal), { objectMode: false }),
          }
        : { headers: { ...headers }, body: body === null ? null : Buffer.from(body) }),
      signal,
    });
    // A body that breaks before anyone reads it must not end the process; its reader still gets the error.
    response.body.on("error", () => undefined);
    let isOver = false;
    const close = (): void => {
      if (isOver) return;
      isOver = true;
      if (own !== undefined && response.body.readableEnded) own.keep(url.origin, connection);
      else destroy();
    };
    return { status: response.statusCode, headers: flattenHeaders(response.headers), body: response.body, close };
  } catch (error) {
    destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", destroy);
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

function isStreamed(body: RequestBody): body is StreamedBody {
  return body !== null && typeof body === "object" && "open" in body;
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "__proto__")
      flat[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}
