import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** What happens to a request: it never arrives, arrives and its answer is lost, or is answered 503 or 401. */
export type Fault = "cut" | "drop-answer" | "unavailable" | "unauthorized";

/** A way to a server on which requests go wrong when they are told to. */
export interface FaultyProxy {
  url: string;
  /** Each of these faults meets one of the next requests whose method and path fit, in this order. */
  breakNext(pattern: RegExp, ...faults: Fault[]): void;
  /** Every request that fits is cut until the function that it returns is called. */
  disconnect(pattern: RegExp): () => void;
  stop(): Promise<void>;
}

/** Starts a proxy on loopback in front of `target`. A pattern is matched against such as `POST /rest/v1/studio_runs?id=…`. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const planned: { pattern: RegExp; fault: Fault }[] = [];
  const closed = new Set<RegExp>();

  function faultOf(name: string): Fault | undefined {
    if ([...closed].some((pattern) => pattern.test(name))) return "cut";
    const index = planned.findIndex(({ pattern }) => pattern.test(name));
    return index === -1 ? undefined : planned.splice(index, 1)[0]?.fault;
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fault = faultOf(`${incoming.method} ${incoming.url}`);
    if (fault === "cut") return void incoming.socket.destroy();
    const body = await buffer(incoming);
    if (fault === "unavailable" || fault === "unauthorized") {
      const status = fault === "unavailable" ? 503 : 401;
      outgoing.writeHead(status, { "content-type": "application/json" }).end('{"message":"Not now."}');
      return;
    }
    const headers = { ...incoming.headers, host: new URL(target).host };
    const inner = request(new URL(incoming.url ?? "/", target), { method: incoming.method, headers }, (answer) => {
      void buffer(answer).then((answered) => {
        if (fault === "drop-answer") return void incoming.socket.destroy();
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(answered);
      });
    });
    inner.on("error", () => incoming.socket.destroy());
    inner.end(body);
  }

  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing).catch(() => outgoing.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    breakNext: (pattern, ...faults) => void planned.push(...faults.map((fault) => ({ pattern, fault }))),
    disconnect(pattern) {
      closed.add(pattern);
      return () => void closed.delete(pattern);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
