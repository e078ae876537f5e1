import type { Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { signUp, type SignedIn } from "../local/testing/clients.ts";
import { startTestStack, type TestStack } from "../local/testing/start-stack.ts";
import { callFunction, saveTestCredential } from "./_shared/testing/call-function.ts";
import { dishonestPostgres } from "./_shared/testing/dishonest-postgres.ts";
import { dishonestAnywhere, dishonestWeb } from "./_shared/testing/dishonest-server.ts";
import { type RawServer, startRawServer } from "./_shared/testing/raw-server.ts";

let stack: TestStack;
let user: SignedIn;
let server: RawServer;

beforeAll(async () => {
  stack = await startTestStack({ functions: true, allowHosts: "127.0.0.1" });
});
afterAll(() => stack.stop());
afterEach(() => server.stop());

interface Door {
  name: string;
  draft(port: number): Record<string, unknown>;
  body(port: number, credential: string): unknown;
  path?: string;
  more?: Readonly<Record<string, (socket: Socket) => void>>;
}

const url = (port: number): string => `http://127.0.0.1:${port}`;

const doors: Door[] = [
  {
    name: "sql-tool",
    draft: (port) => ({
      type: "postgres",
      fields: { connectionString: `postgresql://user:test-key-db@127.0.0.1:${port}/db`, tls: false },
    }),
    body: (_port, credential) => ({
      operation: "execute",
      credential,
      sql: "select 1",
      readOnly: true,
      timeoutMs: 1_000,
    }),
    more: dishonestPostgres,
  },
  {
    name: "redis-memory",
    draft: (port) => ({ type: "redis", fields: { host: "127.0.0.1", port, tls: false, database: 0 } }),
    body: (_port, credential) => ({ action: "load", credential, workflowId: "w", sessionId: "s" }),
  },
  {
    name: "mcp-proxy",
    draft: (port) => ({ type: "mcp", fields: { url: `${url(port)}/mcp` } }),
    body: () => ({ jsonrpc: "2.0", id: 1, method: "ping" }),
    more: dishonestWeb,
  },
  {
    name: "llm-proxy",
    path: "llm-proxy/chat/completions",
    draft: (port) => ({ type: "openai-compatible", fields: { baseUrl: `${url(port)}/v1`, apiKey: "test-key-model" } }),
    body: () => ({ model: "one" }),
    more: dishonestWeb,
  },
  {
    name: "execute-http",
    draft: () => ({ type: "http-bearer", fields: { token: "test-key-http" }, allowedHosts: ["127.0.0.1"] }),
    body: (port) => ({ url: `${url(port)}/`, timeoutMs: 2_000 }),
    more: dishonestWeb,
  },
];

const restarts = async (name: string): Promise<number> => {
  const status: { functions: { name: string; restarts: number }[] } = await (
    await fetch(`${stack.url}/.well-known/switchyard`)
  ).json();
  return status.functions.find((one) => one.name === name)?.restarts ?? -1;
};

describe.each(doors)("S64 $name", ({ name, draft, body, path = name, more = {} }) => {
  beforeAll(async () => {
    user = await signUp(stack);
  });

  test.each(Object.entries({ ...dishonestAnywhere, ...more }))(
    "%s: an error in words or an end, and the process lives",
    async (_case, talk) => {
      server = await startRawServer(talk);
      const credential = await saveTestCredential(stack, user.accessToken, draft(server.port));
      const header = { "x-switchyard-credential": credential };
      const answer = await callFunction(stack, path, user.accessToken, body(server.port, credential), header).catch(
        // A stream that breaks after its head reaches the caller as a broken one.
        (error: unknown) => error,
      );
      if (!(answer instanceof Error)) expect(JSON.stringify(answer)).toMatch(/error|truncated/i);
      expect(JSON.stringify(answer)).not.toContain("test-key");
      expect(await restarts(name)).toBe(0);
      await expect.poll(server.open).toBe(0);
      // The next honest call is answered by the function itself.
      expect((await callFunction(stack, name, user.accessToken, {})).status).toBe(400);
    },
  );
});
