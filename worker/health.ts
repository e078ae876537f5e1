import { createServer } from "node:http";
import { isIP } from "node:net";
import { carriesToken, type Metric, needsToken, openMetricsText, openMetricsType } from "./metrics/open-metrics.ts";

/** What tells whoever runs the process how it is. */
export interface HealthServer {
  port: number;
  close(): void;
}

interface HealthOptions {
  /** 0 takes a free port. */
  port: number;
  host: string;
  /** Whether it can take runs: the database has answered it not long ago, the API is not away, and it was not asked to stop. */
  isReady(): boolean;
  metrics(): Promise<Metric[]>;
  /** What opens `/metrics` where other machines can ask. */
  metricsToken: string | undefined;
}

/**
 * Answers `/health` (200 while the process works), `/ready` (200, or 503 while it cannot take runs) and `/metrics` (OpenMetrics;
 * without a token only where this machine alone can ask, else 401).
 */
export async function startHealthServer(options: HealthOptions): Promise<HealthServer> {
  const { port, host, isReady, metrics, metricsToken } = options;
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, text: string) => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
      response.end(text);
    };
    const tell = (status: number, value: object) => answer(status, "application/json", JSON.stringify(value));
    switch (request.url?.split("?")[0]) {
      case "/health":
        return tell(200, { ready: isReady() });
      case "/ready":
        return tell(isReady() ? 200 : 503, { ready: isReady() });
      case "/metrics":
        if (!isLoopback(host) && !carriesToken(request.headers.authorization, metricsToken)) {
          return tell(401, { code: "unauthorized", message: needsToken });
        }
        return void metrics().then((all) => answer(200, openMetricsType, openMetricsText(all)));
      default:
        return tell(404, { code: "not_found", message: "There are /health, /ready and /metrics." });
    }
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    close() {
      server.close();
      // A probe that keeps its connection would keep the process.
      server.closeAllConnections();
    },
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
