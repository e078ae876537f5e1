import type { Credential } from "../_shared/credential-types.ts";
import { proxyMcpCall, type McpCallDependencies } from "../mcp-proxy/proxy-mcp-call.ts";
import type { TestResult } from "./test-result.ts";

const greeting = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "switchyard", version: "1.0.0" } },
};

/** Opens a session with an MCP server, as its first message does, and ends it. */
export async function testMcpServer(
  credential: Credential,
  allowedHosts: readonly string[],
  dependencies: McpCallDependencies,
): Promise<TestResult> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = new TextEncoder().encode(JSON.stringify(greeting));
  const held = { credential, allowedHosts };
  const answered = await proxyMcpCall(
    { method: "POST", url: "", headers: new Headers(headers), body },
    held,
    dependencies,
  );
  if (!answered.ok) return { ok: false, message: answered.error.message, hint: answered.error.hint };
  const { status } = answered.value;
  await answered.value.body?.cancel();
  const session = answered.value.headers.get("mcp-session-id");
  if (session !== null) {
    const end = { method: "DELETE", url: "", headers: new Headers({ "mcp-session-id": session }), body: null };
    const ended = await proxyMcpCall(end, held, dependencies);
    if (ended.ok) await ended.value.body?.cancel();
  }
  if (status >= 200 && status < 300) return { ok: true, message: "The MCP server opened a session." };
  if (status === 401 || status === 403) {
    return {
      ok: false,
      message: `The MCP server refused the credential with status ${status}.`,
      hint:
        credential.type === "mcp-oauth"
          ? "Sign in again, with an account that may use the server."
          : "Check the headers; most servers want Authorization: Bearer and a token.",
    };
  }
  return {
    ok: false,
    message: `The MCP server answered with status ${status}.`,
    hint: "Check that the URL is the one for Streamable HTTP; it often ends with /mcp.",
  };
}
