import { studioVersion } from "../../../src/engine/studio-version.ts";
import type { Credential } from "../_shared/credential-types.ts";
import { proxyMcpCall, type McpCallDependencies } from "../mcp-proxy/proxy-mcp-call.ts";
import type { TestResult } from "./test-result.ts";

const clientInfo = { name: "switchyard", version: studioVersion };

/** The first message of the protocol's versions with sessions. */
const greeting = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
};

const newest = "2026-07-28";

/** The question that every server without sessions answers. */
const question = {
  jsonrpc: "2.0",
  id: 1,
  method: "server/discover",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": newest,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": clientInfo,
    },
  },
};

/** Greets an MCP server as a client's first message does, in the old way and where that is refused in the new one. */
export async function testMcpServer(
  credential: Credential,
  allowedHosts: readonly string[],
  dependencies: McpCallDependencies,
): Promise<TestResult> {
  const held = { credential, allowedHosts };
  const post = (message: object, more: Record<string, string> = {}) => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", ...more };
    const body = new TextEncoder().encode(JSON.stringify(message));
    return proxyMcpCall({ method: "POST", url: "", headers: new Headers(headers), body }, held, dependencies);
  };
  let answered = await post(greeting);
  if (answered.ok && answered.value.status === 400) {
    await answered.value.body?.cancel();
    answered = await post(question, { "mcp-protocol-version": newest, "mcp-method": question.method });
  }
  if (!answered.ok) return { ok: false, message: answered.error.message, hint: answered.error.hint };
  const { status } = answered.value;
  await answered.value.body?.cancel();
  const session = answered.value.headers.get("mcp-session-id");
  if (session !== null) {
    const end = { method: "DELETE", url: "", headers: new Headers({ "mcp-session-id": session }), body: null };
    const ended = await proxyMcpCall(end, held, dependencies);
    if (ended.ok) await ended.value.body?.cancel();
  }
  if (status >= 200 && status < 300) return { ok: true, message: "The MCP server answered." };
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
