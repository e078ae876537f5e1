import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import { networkOf } from "../../functions/_shared/caller-address.ts";
import { createClientAddress, type IsProxy } from "./client-address.ts";

/** What one sender may do to a server that listens. */
export interface ConnectionLimits {
  /** For the headers of a request, in milliseconds. */
  headersMs: number;
  /** For a whole request, however quickly its body comes. */
  requestMs: number;
  /** Without a byte of an answer taken for this long, its reader is taken for gone. */
  stalledMs: number;
  /** Connections of one address, or open requests of one that a trusted proxy brings. Browsers open six connections for each site. */
  perAddress: number;
  /** From this machine: its own programs, and every visitor where a proxy stands in front that is not known as one. */
  fromLoopback: number;
  total: number;
}

export const connectionLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 5 * 60_000,
  stalledMs: 60_000,
  perAddress: 100,
  fromLoopback: 1_000,
  total: 2_000,
};

/** Of the listener that the functions and workers use, which is for nobody else: visitors' limits bound what they have to do. */
export const ownConnectionLimits: ConnectionLimits = { ...connectionLimits, fromLoopback: 10_000, total: 10_000 };

/** For how long a connection stays open without a request; less than `stalledMs`, so that clients are told the truth. */
const keptOpenMs = 55_000;

/** Options for `createServer`: the deadlines are looked at once a second. */
export function deadlines({ headersMs, requestMs, stalledMs }: ConnectionLimits) {
  const connectionsCheckingInterval = Math.min(1_000, headersMs);
  // Encryption is agreed upon in the time of the headers.
  return {
    headersTimeout: headersMs,
    handshakeTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval,
    // With Node's 5 seconds a client often sends on a connection that is being closed, and loses its request.
    keepAliveTimeout: Math.min(keptOpenMs, stalledMs),
  };
}

/**
 * Refuses connections beyond the limits and ends those of senders and readers that stand still. The result says whether a
 * request may be answered: one that is refused has its answer already. The connections of trusted proxies are everybody's, so
 * there the open requests of each visitor count.
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isProxy?: IsProxy,
): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  const refused = new WeakSet<Socket>();
  const byAddress = new Map<string, number>();
  const answering = new WeakSet<Socket>();
  const clientAddress = createClientAddress(isProxy);
  let total = 0;

  function count(name: string): () => void {
    byAddress.set(name, (byAddress.get(name) ?? 0) + 1);
    return () => {
      const left = (byAddress.get(name) ?? 1) - 1;
      if (left > 0) byAddress.set(name, left);
      else byAddress.delete(name);
    };
  }

  function allowedFrom(address: string, network: string): number {
    if (isProxy?.(address)) return limits.total;
    return network === "loopback" ? limits.fromLoopback : limits.perAddress;
  }

  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const network = networkOf(address);
    const open = byAddress.get(network) ?? 0;
    const allowed = allowedFrom(address, network);
    if (open >= allowed || total >= limits.total) {
      // Before it is encrypted, nothing can be said.
      if (server instanceof TlsServer) return void socket.destroy();
      refused.add(socket);
      return refuse(socket, open >= allowed ? tooManyOfOne : tooMany);
    }
    total += 1;
    const end = count(network);
    socket.once("close", () => {
      total -= 1;
      end();
    });
  });

  server.on("request", ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    answering.add(socket);
    outgoing.once("close", () => answering.delete(socket));
  });

  server.setTimeout(limits.stalledMs, (socket: Socket) => {
    // An answer may be silent for minutes while a model thinks; one that waits to be read is another matter.
    if (socket.writableLength > 0 || !answering.has(socket)) socket.destroy();
  });

  server.on("clientError", (error: Error & { code?: string }, stream) => {
    // The reader of an answer has gone.
    if (error.code === "ECONNRESET" || !stream.writable) return void stream.destroy();
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return refuse(stream, tooSlow);
    refuse(stream, error.code === "HPE_HEADER_OVERFLOW" ? largeHeaders : unreadable);
  });

  return (incoming, outgoing) => {
    if (refused.has(incoming.socket)) return false;
    if (!isProxy?.(incoming.socket.remoteAddress ?? "")) return true;
    const visitor = `by proxy ${networkOf(clientAddress(incoming))}`;
    if ((byAddress.get(visitor) ?? 0) >= limits.perAddress) {
      sendRefusal(outgoing, tooManyOfVisitor);
      return false;
    }
    outgoing.once("close", count(visitor));
    return true;
  };
}

interface Refusal {
  status: string;
  code: string;
  message: string;
  hint: string;
  retryAfter?: number;
}

const tooManyOfOne: Refusal = {
  status: "429 Too Many Requests",
  code: "rate_limit",
  message: "Your address has too many connections open.",
  hint: "Close some of them, or wait a moment.",
  retryAfter: 5,
};
const tooManyOfVisitor: Refusal = {
  ...tooManyOfOne,
  message: "Your address has too many requests open.",
};
const tooMany: Refusal = {
  status: "503 Service Unavailable",
  code: "rate_limit",
  message: "The server has too many connections open.",
  hint: "Try again in a few seconds.",
  retryAfter: 5,
};
const tooSlow: Refusal = {
  status: "408 Request Timeout",
  code: "timeout",
  message: "The request came too slowly, so the server stopped waiting for it.",
  hint: "Check your connection and send it again.",
};
const largeHeaders: Refusal = {
  status: "431 Request Header Fields Too Large",
  code: "invalid_config",
  message: "The request's headers are too large.",
  hint: "Send at most 16 KB of headers.",
};
const unreadable: Refusal = {
  status: "400 Bad Request",
  code: "invalid_config",
  message: "The request is not HTTP that this server reads.",
  hint: "Send HTTP/1.1.",
};

function bodyOf({ status: _status, retryAfter, ...words }: Refusal): string {
  return JSON.stringify({ ...words, error: { ...words, retryable: retryAfter !== undefined } });
}

/** Closes the connection as well, whatever of a body is still on its way: a proxy opens another one. */
function sendRefusal(outgoing: ServerResponse, refusal: Refusal): void {
  outgoing.writeHead(Number.parseInt(refusal.status, 10), {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "retry-after": String(refusal.retryAfter ?? 1),
    connection: "close",
  });
  outgoing.end(bodyOf(refusal));
}

/** Answers where there is no request to answer yet. */
function refuse(stream: { end(text: string): unknown; destroy(): unknown; once?: unknown }, refusal: Refusal): void {
  const { status, retryAfter } = refusal;
  const body = bodyOf(refusal);
  const lines = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json; charset=utf-8",
    "cache-control: no-store",
    "x-content-type-options: nosniff",
    ...(retryAfter === undefined ? [] : [`retry-after: ${retryAfter}`]),
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  stream.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  // What it goes on sending is not waited for.
  setTimeout(() => stream.destroy(), 1_000).unref();
}
