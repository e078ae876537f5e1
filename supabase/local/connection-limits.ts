import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import ipaddr from "ipaddr.js";

/** What one sender may do to a server that listens. */
export interface ConnectionLimits {
  /** For the headers of a request, in milliseconds. */
  headersMs: number;
  /** For a whole request, however quickly its body comes. */
  requestMs: number;
  /** Without a byte of an answer taken for this long, its reader is taken for gone. */
  stalledMs: number;
  /** Connections of one address. Browsers open six for each site. */
  perAddress: number;
  /** From this machine: the functions, and every visitor where a proxy stands in front. */
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
 * request may be answered: one on a refused connection has its answer already.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): (incoming: IncomingMessage) => boolean {
  const refused = new WeakSet<Socket>();
  const byAddress = new Map<string, number>();
  const answering = new WeakSet<Socket>();
  let total = 0;

  server.on("connection", (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? "");
    const open = byAddress.get(address) ?? 0;
    const allowed = address === loopback ? limits.fromLoopback : limits.perAddress;
    if (open >= allowed || total >= limits.total) {
      // Before it is encrypted, nothing can be said.
      if (server instanceof TlsServer) return void socket.destroy();
      refused.add(socket);
      return refuse(socket, open >= allowed ? tooManyOfOne : tooMany);
    }
    total += 1;
    byAddress.set(address, open + 1);
    socket.once("close", () => {
      total -= 1;
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
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

  return ({ socket }) => !refused.has(socket);
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

/** Answers where there is no request to answer yet. */
function refuse(stream: { end(text: string): unknown; destroy(): unknown; once?: unknown }, refusal: Refusal): void {
  const { status, retryAfter, ...words } = refusal;
  const body = JSON.stringify({ ...words, error: { ...words, retryable: retryAfter !== undefined } });
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

const loopback = "loopback";

/** One machine has many IPv6 addresses, so its network of 64 bits counts. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.range() === "loopback") return loopback;
  return parsed.kind() === "ipv4" ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}
