import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** One request as it came in. */
export interface RecordedRequest {
  method: string;
  /** Path with query. */
  path: string;
  /** Names in lower case; values of a repeated header joined by commas. */
  headers: Record<string, string>;
  /** The body as text; empty when there was none. */
  text: string;
  /** The body parsed; undefined when it is no JSON. */
  body: unknown;
  /** Whether the other side hung up before the answer was complete. */
  aborted: boolean;
}

/** A server on 127.0.0.1 and what it has been asked so far, oldest first. */
export interface LoopbackServer {
  /** Origin without a slash at the end. */
  url: string;
  requests: RecordedRequest[];
  /** Stops listening and drops open connections. */
  close(): Promise<void>;
}

type LoopbackHandler = (
  request: RecordedRequest,
  response: ServerResponse,
  raw: IncomingMessage,
) => void | Promise<void>;

/** Starts a recording HTTP server on loopback; `port` 0 takes a free one. */
export async function startLoopbackServer(handler: LoopbackHandler, port = 0): Promise<LoopbackServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((raw, response) => {
    void answer(raw, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });

  async function answer(raw: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString("utf8");
    const recorded: RecordedRequest = {
      method: raw.method ?? "GET",
      path: raw.url ?? "/",
      headers: Object.fromEntries(
        Object.entries(raw.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(", ") : (value ?? ""),
        ]),
      ),
      text,
      body: parsed(text),
      aborted: false,
    };
    requests.push(recorded);
    response.on("close", () => {
      recorded.aborted = !response.writableFinished;
    });
    await handler(recorded, response, raw);
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** Sends a JSON answer. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Resolves after `ms` milliseconds, or at once when the other side has hung up. */
export function pause(response: ServerResponse, ms: number): Promise<void> {
  if (ms <= 0 || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      response.off("close", done);
      resolve();
    }
    response.once("close", done);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
