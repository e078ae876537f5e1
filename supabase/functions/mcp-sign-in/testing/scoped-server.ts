import { startLoopbackServer } from "../../_shared/testing/loopback-server.ts";

interface Options {
  /** What it describes: the resource and its authorization server, one of them, or nothing. */
  describes: "all" | "resource" | "server" | "nothing";
  /** The scopes that a method of the protocol needs; undefined where no token is needed. */
  needs: (method: string) => string[] | undefined;
  /** The scopes that a token gets of those asked for. Default: all. */
  grants?: (asked: string[]) => string[];
  /** More of what it says of its authorization server; undefined values are left out. */
  metadata?: object;
}

/** An MCP server with one tool and its authorization server, on one origin, whose tokens have scopes. */
export type ScopedServer = Awaited<ReturnType<typeof startScopedServer>>;

export async function startScopedServer({ describes, grants = (asked) => asked, metadata, ...options }: Options) {
  let origin = "";
  let { needs } = options;
  const namesResource = describes === "all" || describes === "resource";
  const describesServer = describes === "all" || describes === "server";
  const granted = new Map<string, string[]>();
  const authorized: URL[] = [];

  /** `message`: JSON of the protocol. Answers the status and what belongs to it. */
  function mcp(message: { id?: number; method: string }, authorization = ""): [number, object, string?] {
    const needed = needs(message.method);
    const where = namesResource ? `, resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` : "";
    const scope = (needed ?? []).length === 0 ? "" : ` scope="${needed?.join(" ")}",`;
    const had = granted.get(authorization.replace("Bearer ", ""));
    if (needed !== undefined && had === undefined) return [401, {}, `Bearer${scope} realm="mcp"${where}`];
    if (needed?.some((one) => had?.includes(one) !== true)) {
      return [403, { error: "insufficient_scope" }, `Bearer error="insufficient_scope",${scope} realm="mcp"${where}`];
    }
    if (message.id === undefined) return [202, {}];
    return [200, { jsonrpc: "2.0", id: message.id, result: results[message.method] ?? {} }];
  }

  const server = await startLoopbackServer((request, response) => {
    const url = new URL(request.url ?? "", origin);
    const answer = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    };
    const body = server.seen.at(-1)?.body ?? "";
    switch (true) {
      case url.pathname === "/mcp" && request.method === "POST": {
        const [status, said, challenge] = mcp(JSON.parse(body), request.headers.authorization);
        return answer(status, said, challenge === undefined ? {} : { "www-authenticate": challenge });
      }
      case url.pathname.startsWith("/.well-known/oauth-protected-resource") && namesResource:
        return answer(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
      case url.pathname.startsWith("/.well-known/oauth-authorization-server") && describesServer:
        return answer(200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          ...metadata,
        });
      case url.pathname === "/register":
        return answer(201, { client_id: "registered", redirect_uris: [] });
      case url.pathname === "/authorize": {
        authorized.push(url);
        const back = new URL(url.searchParams.get("redirect_uri") ?? "");
        back.searchParams.set("code", `code-${authorized.length}`);
        back.searchParams.set("state", url.searchParams.get("state") ?? "");
        return answer(302, {}, { location: back.href });
      }
      case url.pathname === "/token": {
        const count = Number(new URLSearchParams(body).get("code")?.replace("code-", ""));
        const asked = authorized[count - 1]?.searchParams.get("scope")?.split(" ") ?? [];
        const token = `test-key-access-${count}-0123456789`;
        granted.set(token, grants(asked));
        return answer(200, { access_token: token, token_type: "Bearer" });
      }
      default:
        return answer(404, {});
    }
  });
  origin = `http://${server.host}`;
  return {
    ...server,
    origin,
    /** Lets a token in that no sign-in gave. */
    grant: (token: string, scopes: string[]) => void granted.set(token, scopes),
    /** Changes what methods need from now on. */
    need: (changed: Options["needs"]) => void (needs = changed),
    url: `${origin}/mcp`,
    /** The scopes of each sign-in, oldest first. */
    scopes: () => authorized.map((url) => url.searchParams.get("scope") ?? ""),
    asked: (path: string) => server.seen.filter(({ url }) => url.startsWith(path)),
  };
}

const results: Record<string, object> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "scoped", version: "1.0.0" },
  },
  "tools/list": { tools: [{ name: "write", description: "Writes.", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: "Written." }] },
};
