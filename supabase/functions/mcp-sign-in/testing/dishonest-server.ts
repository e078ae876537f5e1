import type { IncomingMessage, ServerResponse } from "node:http";
import { startLoopbackServer } from "../../_shared/testing/loopback-server.ts";

type Part = "resource" | "metadata" | "registration" | "token";

/** What the server says instead of what it should; `origin` is its own. Undefined values are left out. */
export type Twist = Partial<Record<Part, (origin: string) => object>> & {
  /** Answers a request itself, when it wants to. */
  raw?: (request: IncomingMessage, response: ServerResponse) => boolean;
};

/** An MCP server and its authorization server in one, which says what a test wants. */
export type DishonestServer = Awaited<ReturnType<typeof startDishonestServer>>;

export async function startDishonestServer(twist: Twist) {
  let origin = "";
  const server = await startLoopbackServer((request, response) => {
    if (twist.raw?.(request, response) === true) return;
    const answer = (part: Part, honest: object, status = 200): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ ...honest, ...twist[part]?.(origin) }));
    };
    const path = request.url ?? "";
    if (path.startsWith("/mcp")) {
      response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${origin}/resource"` }).end();
    } else if (path.startsWith("/resource")) {
      answer("resource", { resource: `${origin}/mcp`, authorization_servers: [origin] });
    } else if (path.includes(".well-known")) {
      answer("metadata", {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      });
    } else if (path.startsWith("/register")) answer("registration", { client_id: "client", redirect_uris: [] }, 201);
    else if (path.startsWith("/token")) {
      answer("token", { access_token: "test-key-access-0123456789", token_type: "Bearer", expires_in: 3600 });
    } else response.writeHead(404).end();
  });
  origin = `http://${server.host}`;
  return { ...server, origin, asked: (path: string) => server.seen.filter(({ url }) => url.startsWith(path)) };
}
