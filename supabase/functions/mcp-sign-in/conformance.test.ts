import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod/mini";
import { quietCall } from "../../../src/engine/testing/quiet-call.ts";
import { realSleep } from "../../../src/engine/testing/real-sleep.ts";
import { testHost } from "../../../src/engine/testing/test-host.ts";
import { RunError } from "../../../src/engine/errors.ts";
import type { Json, JsonObject, JsonSchema } from "../../../src/engine/json.ts";
import { createMcpFetch } from "../../../src/host/mcp-fetch.ts";
import { longestOpening } from "../../../src/nodes/tools/mcp/calls-under-way.ts";
import { openMcpSession } from "../../../src/nodes/tools/mcp/mcp-session.ts";
import { signUp } from "../../local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../local/testing/shared-stack.ts";
import { callFunction, saveTestCredential } from "../_shared/testing/call-function.ts";
import { documented, runSuite, unlike } from "../_shared/testing/conformance/run-suite.ts";

const asked = z.object({
  url: z.string(),
  scenario: z.string(),
  context: z.object({
    client_id: z.optional(z.string()),
    client_secret: z.optional(z.string()),
    toolCalls: z.optional(z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) }))),
  }),
});

let stack: SharedStack;
const { signal } = new AbortController();

/**
 * Waits for the stream of news however long it takes to open: a server of the suite takes one that opens after the call for the
 * call's own, taken up too early.
 */
function patientSleep(ms: number, signal: AbortSignal): Promise<void> {
  return ms === longestOpening ? once(signal, "abort").then(() => undefined) : realSleep(ms, signal);
}

/** Does with the suite's server what an agent does with any: signs in where it asks for that, and calls its tools. */
async function beClient({ url, scenario, context }: z.infer<typeof asked>): Promise<void> {
  const user = await signUp(stack);
  const { client_id: clientId, client_secret: clientSecret } = context;
  const isSignedIn = scenario.startsWith("auth/");
  const type = isSignedIn ? "mcp-oauth" : "mcp";
  const fields = {
    url,
    ...(isSignedIn && clientId && { clientId }),
    ...(isSignedIn && clientSecret && { clientSecret }),
  };
  const credential = await saveTestCredential(stack, user.accessToken, { type, fields });
  const ask = async (body: object) => {
    const answer = await callFunction(
      stack,
      "mcp-sign-in",
      user.accessToken,
      { credential, ...body },
      { origin: stack.url },
    );
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json;
  };
  const signIn = async () => {
    const { authorizationUrl, pending } = await ask({ action: "start", redirectUrl: `${stack.url}/oauth/callback` });
    const agreed = await fetch(String(authorizationUrl), { redirect: "manual" });
    const { state, code, iss: issuer } = Object.fromEntries(new URL(agreed.headers.get("location") ?? "").searchParams);
    await ask({ action: "finish", pending, state, code, issuer });
  };
  const mcpFetch = createMcpFetch({
    functionsUrl: `${stack.url}/functions/v1`,
    publishableKey: stack.key,
    accessToken: () => Promise.resolve(user.accessToken),
  });
  const host = { ...testHost({ mcpFetch }), sleep: patientSleep };
  /** Does the work, and where a sign-in is asked for meanwhile, signs in and does it again, once. */
  async function signedIn<Value>(work: () => Promise<Value>): Promise<Value> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        const isRefused = error instanceof RunError && error.data.code === "invalid_credentials";
        if (!isSignedIn || !isRefused || tries === 1) throw error;
        await signIn();
      }
    }
  }
  if (isSignedIn) await signIn();
  const session = await signedIn(() => openMcpSession(host, { url: "", credential }, signal));
  const call = quietCall(signal, { ask: () => Promise.resolve({ action: "accept", content: {} }) });
  const calls =
    context.toolCalls ?? session.tools.map(({ name, inputSchema }) => ({ name, arguments: inputOf(inputSchema) }));
  for (const { name, arguments: input } of calls) {
    const observed = session.tools.find((tool) => tool.name === "json_schema_2020_12_tool");
    const given = name === "json_schema_echo" && observed ? { schema: observed.inputSchema } : input;
    await signedIn(async () => {
      const result = await session.call(name, given, call);
      if (!result.ok && result.error.code === "invalid_credentials")
        throw new RunError({ code: "invalid_credentials", message: result.error.message, hint: "" });
    });
  }
  await session.close();
}

/** Arguments that fit a tool's schema. */
function inputOf({ properties }: JsonSchema): JsonObject {
  const values: Record<string, Json> = { number: 2, integer: 2, boolean: true, string: "text", array: [], object: {} };
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, schema]) => [
      name,
      (typeof schema === "object" && typeof schema.type === "string" ? values[schema.type] : undefined) ?? "text",
    ]),
  );
}

/** The suite runs all scenarios at once; so many of their clients work at a time, so that none is slow. */
const lanes = Array.from({ length: 4 }, () => Promise.resolve());
let clients = 0;

function inLane(work: () => Promise<void>): Promise<void> {
  clients += 1;
  const lane = clients % lanes.length;
  const done = (lanes[lane] ?? Promise.resolve()).then(work);
  lanes[lane] = done.catch(() => undefined);
  return done;
}

const server = createServer(async (request, response) => {
  try {
    const order = asked.parse(JSON.parse(await text(request)));
    await inLane(() => beClient(order));
    response.end("ok");
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
  }
});

beforeAll(async () => {
  stack = await sharedTestStack();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

test.each(["2025-11-25", "2026-07-28"])(
  "the client passes the scenarios of the protocol's version %s as docs/mcp.md says",
  async (version) => {
    const { port } = server.address() as AddressInfo;
    const script = fileURLToPath(new URL("../_shared/testing/conformance/asked-client.mjs", import.meta.url));
    const command = `${process.execPath} ${script} http://127.0.0.1:${port}`;
    const outcome = await runSuite("client", ["--command", command, "--requirements", version, "--timeout", "540000"]);
    expect(unlike(await documented("client", version), outcome)).toEqual([]);
  },
);
