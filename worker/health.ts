import { createServer } from "node:http";

/** What tells whoever runs the process how it is. */
export interface HealthServer {
  port: number;
  close(): void;
}

interface HealthOptions {
  /** 0 takes a free port. */
  port: number;
  host: string;
  /** Whether it can take runs: the database has answered it not long ago, and it was not asked to stop. */
  isReady(): boolean;
}

/** Answers `/health` (200 while the process works) and `/ready` (200, or 503 while it cannot take runs). */
export async function startHealthServer({ port, host, isReady }: HealthOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0];
    const known = path === "/health" || path === "/ready";
    const status = !known ? 404 : path === "/health" || isReady() ? 200 : 503;
    response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify({ ready: isReady() }));
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return { port: typeof address === "object" && address ? address.port : port, close: () => void server.close() };
}
