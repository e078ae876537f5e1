import type { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { canonicalAddress } from "./address-policy.ts";
import type { ByteShare } from "./byte-budget.ts";

const connectTimeoutMs = 5_000;

/** More than any answer that is passed on; a server that sends more is cut off. */
const maxReceivedBytes = 32 * 1024 * 1024;

/** The server sent more than any answer may be. */
export class TooMuchDataError extends Error {
  override name = "TooMuchDataError";
}

/** Too much of other calls is in memory to read on. */
export class BusyError extends Error {
  override name = "BusyError";
}

/** The server answered, but not with TLS. */
export class PlainServerError extends Error {
  override name = "PlainServerError";
}

/** Where a database that speaks no HTTP is, and how to reach it. */
export interface SocketTarget {
  /** Addresses that were checked, tried in order. */
  addresses: readonly string[];
  port: number;
  tls: boolean;
  /** The name that TLS verifies; undefined for an address literal. */
  serverName: string | undefined;
  /** PEM of a further authority that TLS trusts. */
  certificateAuthority?: string | undefined;
  /**
   * Agrees with the server, in its protocol's own words, that TLS begins now; for those that begin without. Rejects with
   * `PlainServerError` when the server has none.
   */
  beforeTls?: ((socket: Socket) => Promise<void>) | undefined;
}

/**
 * Opens a connection to one of the checked addresses, encrypted and verified when `tls` is on. It breaks with a
 * `TooMuchDataError` when more than 32 MiB came, with a `BusyError` when the call's share of memory is full, and when the
 * signal aborts. Rejects with the runtime's network error, with
 * `PlainServerError` when the server has no TLS, and with the signal's reason.
 */
export async function openSocket(target: SocketTarget, signal: AbortSignal, share?: ByteShare): Promise<Socket> {
  let failed: unknown = new Error("No address was permitted.");
  for (const address of target.addresses) {
    signal.throwIfAborted();
    try {
      const socket = await openAt(address, target, signal);
      limitReceived(socket, share);
      return socket;
    } catch (error) {
      failed = error;
      // Another address of the same name is tried only where none answered.
      if (error instanceof PlainServerError) throw error;
    }
  }
  throw failed;
}

async function openAt(address: string, target: SocketTarget, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: address, port: target.port });
  // A broken connection reaches the driver by its `close`; without a listener it would end the process.
  socket.on("error", () => undefined);
  const stop = (): void => void socket.destroy(abortError(signal));
  signal.addEventListener("abort", stop, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", stop));
  socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error("connect ETIMEDOUT")));
  try {
    await settled(socket, "connect");
    if (canonicalAddress(socket.remoteAddress ?? "") !== canonicalAddress(address)) {
      throw new Error("The socket reached an address that was not checked.");
    }
    const open = target.tls ? await encrypt(socket, address, target) : socket;
    socket.setTimeout(0);
    socket.setNoDelay(true);
    return open;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function encrypt(socket: Socket, address: string, target: SocketTarget): Promise<Socket> {
  await target.beforeTls?.(socket);
  const options: ConnectionOptions = {
    socket,
    host: address,
    ...(target.serverName === undefined ? {} : { servername: target.serverName }),
    ...(target.certificateAuthority === undefined ? {} : { ca: target.certificateAuthority }),
    rejectUnauthorized: true,
  };
  const secure = connectTls(options);
  secure.on("error", () => undefined);
  await settled(secure, "secureConnect");
  return secure;
}

function limitReceived(socket: Socket, share: ByteShare | undefined): void {
  let received = 0;
  socket.on("data", (data: Buffer) => {
    received += data.length;
    if (share !== undefined && share.take(data.length) !== null) socket.destroy(new BusyError("The memory is full."));
    if (received > maxReceivedBytes) socket.destroy(new TooMuchDataError("The server sent too much."));
  });
}

/** Resolves at the event; rejects when the socket breaks first. */
function settled(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("The connection closed.")));
  });
}

function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("The call was cancelled.");
}
