import type { IncomingMessage, ServerResponse } from "node:http";

/** Headers that belong to one connection. */
const ofConnection = new Set(["host", "connection", "content-length", "transfer-encoding", "content-encoding"]);

/** The headers of a request that a gateway passes on. */
export function passedHeaders(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (!ofConnection.has(name) && value !== undefined) headers.set(name, String(value));
  }
  return headers;
}

/** Makes a request at `origin` and answers what comes from there, piece by piece. */
export async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { origin, body, headers = passedHeaders(request) }: { origin: string; body: string; headers?: Headers },
): Promise<void> {
  const { method = "GET" } = request;
  const answer = await fetch(`${origin}${request.url ?? "/"}`, { method, headers, body: body || null });
  const kept = [...answer.headers].filter(([name]) => !ofConnection.has(name));
  response.writeHead(answer.status, Object.fromEntries(kept));
  if (answer.body) for await (const part of answer.body) response.write(part);
  response.end();
}
