import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { getRequestListener } from "@hono/node-server";
import ipaddr from "ipaddr.js";
import { type ConnectionLimits, connectionLimits, deadlines, limitConnections } from "./connection-limits.ts";
import type { IsProxy } from "./client-address.ts";
import { dropRest } from "./drop-rest.ts";
import type { Lane } from "./lane.ts";
import { withErrorsInOneLine } from "../quiet-console.ts";
import { sendAnswer, sendEarlyAnswer } from "./send-answer.ts";
import { StartError, systemErrorCode } from "../start-error.ts";

/** The Node objects behind a request, for middleware that writes to them itself. */
export interface NodeExchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

type Handler = (request: Request, exchange: NodeExchange) => Promise<Response>;

/** A listening server. Requests that come before `handle` was called wait for it. */
export interface HttpServer {
  node: Server;
  port: number;
  /** Whether only programs of this machine can connect. */
  isLoopback: boolean;
  /** `lanes`: take requests of a few kinds before the handler. */
  handle(handler: Handler, lanes?: readonly Lane[]): void;
  close(): Promise<void>;
}

/**
 * Listens on `host`, encrypted when `tls` is given; port 0 takes a free one. `isProxy` names the proxies that are trusted. Throws StartError when the port is taken or the
 * address is not ours.
 */
export async function listen(
  host: string,
  port: number,
  tls: { cert: string; key: string } | null = null,
  limits: ConnectionLimits = connectionLimits,
  isProxy?: IsProxy,
): Promise<HttpServer> {
  let handle: ((handler: Handler) => void) | undefined;
  let lanes: readonly Lane[] = [];
  const ready = new Promise<Handler>((resolve) => {
    handle = resolve;
  });
  const listener = getRequestListener(
    async (request, given) => {
      const exchange = nodeExchange(given);
      const response = await (await ready)(request, exchange);
      if (exchange.incoming.complete) return sendAnswer(response, exchange.outgoing);
      // No next request may follow one whose body has not come to its end.
      exchange.outgoing.shouldKeepAlive = false;
      if (response.status < 400) return sendAnswer(response, exchange.outgoing);
      return sendEarlyAnswer(response, exchange.outgoing, () => dropRest(exchange.incoming));
    },
    // The globals stay Node's own: other parts of this process use fetch as well.
    { overrideGlobalObjects: false },
  );
  const node: Server =
    tls === null ? createServer(deadlines(limits)) : createTlsServer({ ...tls, ...deadlines(limits) });
  const mayAnswer = limitConnections(node, limits, isProxy);
  const answer: RequestListener = (incoming, outgoing) => {
    if (!mayAnswer(incoming, outgoing) || lanes.some((lane) => lane(incoming, outgoing))) return;
    void withErrorsInOneLine(() => listener(incoming, outgoing));
  };
  node.on("request", answer);
  await new Promise<void>((resolve, reject) => {
    node.once("error", (error) => reject(cannotListen(host, port, error)));
    node.listen(port, host, resolve);
  });
  const address = node.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    node,
    port: address.port,
    isLoopback: ipaddr.process(address.address).range() === "loopback",
    handle(handler, given = []) {
      lanes = given;
      handle?.(handler);
    },
    close: () =>
      new Promise((resolve) => {
        node.close(() => resolve());
        node.closeAllConnections();
      }),
  };
}

/** The adapter's type also covers HTTP/2, which this server does not speak. */
function nodeExchange(given: { incoming: unknown; outgoing: unknown }): NodeExchange {
  return given as NodeExchange;
}

function cannotListen(host: string, port: number, error: Error): StartError {
  switch (systemErrorCode(error)) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} on ${host} is already in use by another program.`,
        "Stop that program, or choose another port with --port <number> (--port 0 takes a free one).",
        error,
      );
    case "EACCES":
      return new StartError(
        `Port ${port} may not be opened by this user.`,
        "Choose a port above 1023 with --port <number>.",
        error,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(
        `${host} is not an address of this machine.`,
        "Leave out --host, or give it an address that this machine has.",
        error,
      );
    default:
      return new StartError(
        `The server cannot listen on ${host}:${port}: ${error.message}.`,
        "Choose another --host or --port.",
        error,
      );
  }
}
