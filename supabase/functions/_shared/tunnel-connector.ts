import { Socket } from "node:net";
import { buildConnector, Client } from "undici";
import { ProxyError } from "./network-failure.ts";
import type { ProxyServer } from "./outbound-proxy.ts";

const connectTimeoutMs = 10_000;

/**
 * Connects through the operator's proxy: it is asked for a tunnel to the URL's host and port, and TLS is agreed on within the
 * tunnel and verified for the URL's name. Fails with `ProxyError` for what goes wrong up to the tunnel, and after that with
 * the runtime's network error.
 */
export function tunnelConnector(proxy: ProxyServer): buildConnector.connector {
  const encrypt = buildConnector({ timeout: connectTimeoutMs, maxCachedSessions: 0 });
  return (options, callback) => {
    const port = options.port || (options.protocol === "https:" ? "443" : "80");
    openTunnel(proxy, `${options.hostname}:${port}`).then(
      (socket) => {
        if (options.protocol === "https:") encrypt({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error("The tunnel failed."), null),
    );
  };
}

async function openTunnel(proxy: ProxyServer, authority: string): Promise<Socket> {
  const connect = buildConnector({ timeout: connectTimeoutMs, maxCachedSessions: 0, autoSelectFamily: true });
  const client = new Client(proxy.origin, {
    // The name that TLS verifies here is the proxy's; undici would take the one in the Host header.
    connect: ({ servername: _asked, ...options }, callback) => connect(options, callback),
    headersTimeout: connectTimeoutMs,
  });
  try {
    const headers = {
      host: authority,
      ...(proxy.authorization === null ? {} : { "proxy-authorization": proxy.authorization }),
    };
    const { socket, statusCode } = await client.connect({ path: authority, headers }).catch((cause: unknown) => {
      throw new ProxyError(null, { cause });
    });
    // A socket that breaks while nobody listens would end the process.
    socket.on("error", () => undefined);
    if (statusCode >= 200 && statusCode < 300 && socket instanceof Socket) return socket;
    socket.destroy();
    throw new ProxyError(statusCode);
  } finally {
    void client.destroy().catch(() => undefined);
  }
}
