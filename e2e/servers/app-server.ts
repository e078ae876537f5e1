import { sendJson, startLoopbackServer } from "./loopback-server.ts";

/** An MCP server whose tool has an interface that does whatever a test tells it. */
export interface AppServer {
  /** Of the protocol's endpoint. */
  url: string;
  /** `127.0.0.1:<port>`. */
  host: string;
  /** Names of the tools that were called, oldest first. */
  called: string[];
  /** Requests that are not the protocol's: whatever comes here came out of the frame. */
  leaks: string[];
  /** Requests of the protocol so far. */
  asked(): number;
  /** From now on the interface asks for these hosts. */
  wantHosts(connectDomains: readonly string[]): void;
  close(): Promise<void>;
}

export const appUri = "ui://hostile/app.html";

/** It says hello as an interface does; the rest is done by tests, from inside. */
const html = `<!doctype html><html><head><title>Hostile</title></head><body>
<h1>Interface</h1><input aria-label="Inside">
<script>
const waiting = new Map();
let last = 0;
globalThis.heard = [];
globalThis.tell = (method, params) => parent.postMessage({ jsonrpc: "2.0", method, params }, "*");
globalThis.ask = (method, params) => new Promise((resolve) => {
  last += 1;
  waiting.set(last, resolve);
  parent.postMessage({ jsonrpc: "2.0", id: last, method, params }, "*");
});
addEventListener("message", ({ data }) => {
  heard.push(data);
  waiting.get(data.id)?.(data);
});
ask("ui/initialize", {
  appInfo: { name: "hostile", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26",
}).then((answer) => {
  globalThis.host = answer.result;
  tell("ui/notifications/initialized", {});
});
</script></body></html>`;

const schema = { type: "object", properties: { text: { type: "string" } } };
const tools = [
  { name: "show", description: "Shows it.", inputSchema: schema, _meta: { ui: { resourceUri: appUri } } },
  { name: "change", description: "Changes it.", inputSchema: schema, _meta: { ui: { visibility: ["app"] } } },
  { name: "secret", description: "For models.", inputSchema: schema, _meta: { ui: { visibility: ["model"] } } },
];

export async function startAppServer(): Promise<AppServer> {
  const called: string[] = [];
  const leaks: string[] = [];
  let asked = 0;
  let hosts: readonly string[] = [];
  const answers: Record<string, (params: Record<string, unknown>) => object> = {
    initialize: () => ({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: "hostile", version: "1" },
    }),
    "tools/list": () => ({ tools }),
    "resources/read": () => ({
      contents: [
        {
          uri: appUri,
          mimeType: "text/html;profile=mcp-app",
          text: html,
          _meta: { ui: { csp: { connectDomains: hosts } } },
        },
      ],
    }),
    "tools/call": ({ name }) => {
      called.push(String(name));
      return {
        content: [{ type: "text", text: `Called ${String(name)}` }],
        structuredContent: { called: called.length },
      };
    },
  };
  const server = await startLoopbackServer(({ method, path, body }, response) => {
    if (path !== "/mcp") {
      leaks.push(`${method} ${path}`);
      response.writeHead(200, { "access-control-allow-origin": "*" }).end("leaked");
      return;
    }
    asked += 1;
    const { id, method: name, params = {} } = (body ?? {}) as { id?: number; method?: string; params?: object };
    const answer = answers[name ?? ""];
    if (method !== "POST") response.writeHead(405).end();
    else if (id === undefined) response.writeHead(202).end();
    else if (answer === undefined) {
      sendJson(response, 200, { jsonrpc: "2.0", id, error: { code: -32_601, message: "Unknown." } });
    } else sendJson(response, 200, { jsonrpc: "2.0", id, result: answer({ ...params }) });
  });
  return {
    url: `${server.url}/mcp`,
    host: new URL(server.url).host,
    called,
    leaks,
    asked: () => asked,
    wantHosts: (connectDomains) => void (hosts = connectDomains),
    close: () => server.close(),
  };
}
