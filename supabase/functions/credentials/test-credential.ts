import { mayCarrySecret } from "../_shared/attach-http-credential.ts";
import { secretValues } from "../_shared/credential-secrets.ts";
import {
  credentialTypes,
  isModelCredential,
  type Credential,
  type CredentialFields,
  type ModelCredential,
} from "../_shared/credential-types.ts";
import { success } from "../_shared/failure.ts";
import { guardedFetch } from "../_shared/guarded-fetch.ts";
import { vendorCheck } from "../_shared/model-vendors.ts";
import { nameNotFound } from "../_shared/network-failure.ts";
import { createRedactor } from "../_shared/redact.ts";
import { lookUpHost, type ResolveHost } from "../_shared/resolve-host.ts";
import { arePermitted, checkTarget, permittedAddresses, proxyOf, type TargetPolicy } from "../_shared/target-policy.ts";
import { pingRedis } from "../redis-memory/ping-redis.ts";
import { pingPostgres } from "../sql-tool/ping-postgres.ts";
import { refusalText } from "./refusal-text.ts";
import { testMcpServer } from "./test-mcp-server.ts";
import type { TestResult } from "./test-result.ts";

interface Dependencies {
  policy: TargetPolicy;
  resolve?: ResolveHost | undefined;
  signal?: AbortSignal | undefined;
}

const timeoutMs = 15_000;

/**
 * Checks a credential as far as that costs nothing. Model credentials ask their provider for its models or for
 * the key itself. The HTTP types
 * have no request that every service answers, so their hosts are looked up. Redis is asked for a sign of life, an MCP server
 * for its tools, a database whether it lets the role in.
 */
export async function testCredential(
  credential: Credential,
  allowedHosts: readonly string[],
  dependencies: Dependencies,
): Promise<TestResult> {
  if (isModelCredential(credential)) return testModelCredential(credential, allowedHosts, dependencies);
  if (credential.type === "redis") return testRedis(credential.fields, allowedHosts, dependencies);
  if (credential.type === "postgres") return pingPostgres(credential.fields, allowedHosts, dependencies);
  switch (credentialTypes[credential.type].use) {
    case "http":
      return testHosts(allowedHosts, dependencies);
    case "mcp":
      return testMcpServer(credential, allowedHosts, {
        ...dependencies,
        allowLoopback: dependencies.policy.allowLoopback === true,
      });
  }
}

async function testRedis(
  fields: CredentialFields<"redis">,
  allowedHosts: readonly string[],
  dependencies: Dependencies,
): Promise<TestResult> {
  const answered = await pingRedis(fields, allowedHosts, dependencies);
  if (!answered.ok) return { ok: false, message: answered.error.message, hint: answered.error.hint };
  return { ok: true, message: "Redis answered and accepted the credential." };
}

async function testModelCredential(
  credential: ModelCredential,
  allowedHosts: readonly string[],
  { policy, resolve, signal }: Dependencies,
): Promise<TestResult> {
  const check = vendorCheck(credential);
  const answer = await guardedFetch(
    { url: check.url, headers: {} },
    {
      ...policy,
      followRedirects: false,
      timeoutMs: timeoutMs,
      resolve,
      signal,
      async attach(target) {
        const carried = mayCarrySecret(allowedHosts, target);
        return carried.ok ? success({ headers: check.headers }) : carried;
      },
    },
  );
  if (!answer.ok) {
    const { message, hint } = answer.error;
    return { ok: false, message, hint, ...(credential.fields.baseUrl === undefined ? {} : { field: "baseUrl" }) };
  }
  // Redacted before it is shortened: half a key would not be found.
  const body = createRedactor(secretValues(credential)).text(new TextDecoder().decode(answer.value.body));
  return describeStatus(answer.value.status, testedName(credentialTypes[credential.type].title), refusalText(body));
}

/** Whose answer it is, at the start of a sentence: "OpenAI", but "The OpenAI-compatible server". */
function testedName(title: string): string {
  return title.endsWith(" server") ? `The ${title}` : title;
}

function describeStatus(status: number, title: string, words: string): TestResult {
  const said = words === "" ? "." : `: ${words}`;
  if (status >= 200 && status < 300) return { ok: true, message: `${title} accepted the credential.` };
  if (status === 429) {
    return { ok: true, message: `${title} knows the key and asks to slow down.`, hint: "Check the account's limits." };
  }
  if (status === 401 || status === 403 || status === 400) {
    return {
      ok: false,
      message: `${title} refused the credential with status ${status}${said}`,
      hint: "Check that the key is complete, still valid, and meant for this base URL.",
      field: "apiKey",
    };
  }
  if (status === 404) {
    return {
      ok: false,
      message: "The server answered, but not where its model list should be (status 404).",
      hint: "Check the base URL; for most compatible servers it ends with /v1.",
      field: "baseUrl",
    };
  }
  return { ok: false, message: `${title} answered with status ${status}${said}`, hint: "Try again later." };
}

async function testHosts(allowedHosts: readonly string[], { policy, resolve }: Dependencies): Promise<TestResult> {
  for (const host of allowedHosts) {
    const checked = checkTarget(`https://${host}/`, policy);
    if (!checked.ok) return { ok: false, message: checked.error.message, hint: checked.error.hint };
    const { literal, url } = checked.value;
    const addresses = literal === null ? await lookUpHost(url.hostname, undefined, resolve).catch(() => []) : [literal];
    const isProxied = proxyOf(checked.value, policy) !== null;
    // The operator's proxy may know names that this machine does not.
    if (addresses.length === 0 && isProxied) continue;
    if (addresses.length === 0) {
      const { message, hint } = nameNotFound(host).error;
      return { ok: false, message, hint };
    }
    const permitted = permittedAddresses(checked.value, addresses, policy);
    if (permitted.length === 0 || (isProxied && !arePermitted(checked.value, addresses, policy))) {
      const hint = "The operator can open a private host by naming it in STUDIO_ALLOW_HOSTS.";
      return { ok: false, message: `${host} leads to a private address and may not be called.`, hint };
    }
  }
  return {
    ok: true,
    message: `The secret can be read, and its hosts exist: ${allowedHosts.join(", ")}.`,
    hint: "Whether the service accepts it shows with the first request, since there is none that every service answers.",
  };
}
