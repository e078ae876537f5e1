import { attachHttpCredential, mayCarrySecret } from "../_shared/attach-http-credential.ts";
import { secretValues } from "../_shared/credential-secrets.ts";
import {
  credentialTypes,
  isHttpCredential,
  type Credential,
  type CredentialType,
} from "../_shared/credential-types.ts";
import { failure, success, type Failure, type Outcome } from "../_shared/failure.ts";
import { guardedStream, type AttachSecret } from "../_shared/guarded-fetch.ts";
import { passedHeaders } from "../_shared/passed-headers.ts";
import { createRedactor, type Redactor } from "../_shared/redact.ts";
import { checkRequestHeaders } from "../_shared/request-headers.ts";
import type { ResolveHost } from "../_shared/resolve-host.ts";
import { checkTarget, type TargetPolicy } from "../_shared/target-policy.ts";
import { challengedScope, scopeMissing } from "./scope-challenge.ts";

/** One request of the protocol, as the browser sent it. */
export interface McpCall {
  method: string;
  /** The server's address; empty when the credential brings it. */
  url: string;
  headers: Headers;
  body: Uint8Array | null;
}

/** The credential that a call names, its secret open. */
interface McpCredential {
  credential: Credential;
  allowedHosts: readonly string[];
}

/** Where the call may go, and what ends it. */
export interface McpCallDependencies {
  policy: TargetPolicy;
  /** Whether a credential may lead to a server on this machine. */
  allowLoopback: boolean;
  signal?: AbortSignal | undefined;
  resolve?: ResolveHost | undefined;
  /** What to answer where the server wants these scopes of a token that has too few. Default: a failure that says so. */
  scopeMissing?: ((scope: string) => Promise<Outcome<never>>) | undefined;
}

/** What the server is told of the client's request: the protocol's own headers, no keys and no cookies. */
const requestHeaderNames =
  /^(accept|content-type|last-event-id|mcp-(protocol-version|session-id|method|name|param-.+))$/;

/**
 * What the client is told of the server's answer. Not `www-authenticate`: a browser would ask for a password in the studio's
 * name, with the server's words.
 */
const responseHeaderNames = [/^(content-type|retry-after|mcp-session-id|mcp-protocol-version)$/];

/** A stream of a server may be quiet while a tool works. */
const idleTimeoutMs = 300_000;
const headersTimeoutMs = 300_000;
const maxBytes = 32 * 1024 * 1024;

/** Whether credentials of a type may be used for an MCP server. */
export function fitsMcp(type: CredentialType): boolean {
  return credentialTypes[type].use === "mcp" || credentialTypes[type].use === "http";
}

/**
 * Sends one HTTP request of the MCP protocol and answers with the server's status, the protocol's headers and the body as it
 * arrives, secrets taken out. With a credential of type `mcp` the address is the credential's; with an HTTP credential or
 * none it is the call's. Fails before anything is sent with `invalid_config`, `invalid_credentials`, `invalid_url`,
 * `invalid_header` or `blocked_address`; with `network`, `timeout`, `bad_certificate` or `redirect_refused`; and with
 * `invalid_credentials` when the server wants a token with more scopes.
 */
export async function proxyMcpCall(
  call: McpCall,
  held: McpCredential | null,
  dependencies: McpCallDependencies,
): Promise<Outcome<Response>> {
  const url = serverAddress(call.url, held);
  if (!url.ok) return url;
  const attach = held === null ? success(undefined) : attachment(held);
  if (!attach.ok) return attach;
  const { policy, allowLoopback, signal, resolve } = dependencies;
  const answered = await guardedStream(
    {
      url: url.value,
      method: call.method,
      headers: passedHeaders(Object.fromEntries(call.headers), [requestHeaderNames]),
      body: call.body,
    },
    {
      ...policy,
      allowLoopback: allowLoopback && held !== null,
      followRedirects: false,
      maxBytes: maxBytes,
      headersTimeoutMs: headersTimeoutMs,
      idleTimeoutMs: idleTimeoutMs,
      signal,
      resolve,
      attach: attach.value,
    },
  );
  if (!answered.ok) return held === null && allowLoopback ? withWayIn(answered, url.value) : answered;
  const { status, headers, body } = answered.value;
  if (status >= 300 && status < 400) {
    await body.cancel();
    const hint = "Set the final address as the server's URL.";
    return failure("redirect_refused", "The MCP server redirected to another address, which was not followed.", hint);
  }
  const redactor = createRedactor(held === null ? [] : secretValues(held.credential));
  const wanted = await challengedScope(status, headers["www-authenticate"]);
  if (wanted !== null) {
    await body.cancel();
    const told = redactor.text(wanted) === wanted ? wanted : "";
    return dependencies.scopeMissing?.(told) ?? scopeMissing(told, held?.credential);
  }
  return success(answer(status, headers, body, redactor));
}

function answer(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  redactor: Redactor,
): Response {
  const returned = passedHeaders(headers, responseHeaderNames);
  const isEmpty = status === 204 || status === 205;
  if (isEmpty) void body.cancel();
  return new Response(isEmpty ? null : body.pipeThrough(redactor.stream()), {
    status,
    headers: { ...redactor.headers(returned), "cache-control": "no-store" },
  });
}

function serverAddress(asked: string, held: McpCredential | null): Outcome<string> {
  if (held?.credential.type !== "mcp" && held?.credential.type !== "mcp-oauth") {
    if (asked !== "") return success(asked);
    return failure("invalid_config", "No MCP server is named.", "Enter the server's URL on the node.");
  }
  const own = held.credential.fields.url;
  if (asked === "" || asked === own || (URL.canParse(asked) && new URL(asked).href === new URL(own).href)) {
    return success(own);
  }
  const hint = "Leave the node's URL empty, or choose a credential of that server.";
  return failure("invalid_credentials", "The credential belongs to another MCP server, so nothing was sent.", hint);
}

/** A refusal of a server on this machine, with the way to it that needs no operator: a credential that names it. */
function withWayIn(refused: { ok: false; error: Failure }, url: string): { ok: false; error: Failure } {
  const { code, message } = refused.error;
  const target = checkTarget(url, { allowHosts: [], allowLoopback: true });
  if (code !== "blocked_address" || !target.ok || target.value.trust !== "loopback") return refused;
  const hint =
    "A server on this machine needs a credential: make one of type MCP server with this address and choose it on the node.";
  return failure("blocked_address", message, hint);
}

function attachment({ credential, allowedHosts }: McpCredential): Outcome<AttachSecret> {
  if (credential.type !== "mcp" && credential.type !== "mcp-oauth" && !isHttpCredential(credential)) {
    const message = `A credential of type ${credential.type} cannot be used for an MCP server.`;
    return failure("invalid_credentials", message, "Choose one of type MCP server or of the HTTP types.");
  }
  return success(async (target) => {
    const carried = mayCarrySecret(allowedHosts, target);
    if (!carried.ok) return carried;
    if (credential.type === "mcp-oauth") {
      const token = credential.fields.grant?.accessToken;
      return success(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
    }
    if (credential.type !== "mcp") return attachHttpCredential(credential, target);
    const headers = checkRequestHeaders(credential.fields.headers ?? {});
    return headers.ok ? success({ headers: headers.value }) : headers;
  });
}
