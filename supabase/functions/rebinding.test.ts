import { createServer, type Server } from "node:net";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { success } from "./_shared/failure.ts";
import { parseHostList } from "./_shared/host-list.ts";
import { createOAuthFetch, OAuthFetchError } from "./_shared/oauth/oauth-fetch.ts";
import type { ResolveHost } from "./_shared/resolve-host.ts";
import { waysOut } from "./_shared/testing/ways-out.ts";
import { redisMemory } from "./redis-memory/redis-memory.ts";
import { sendNotice } from "./send-notice/handler.ts";
import { sendTraces } from "./send-traces/handler.ts";
import { sqlTool } from "./sql-tool/sql-tool.ts";

/*
 * Names whose server answers otherwise the second time, for everything that leaves the studio.
 */

interface Options {
  /** `name:port` that the operator opened. */
  allow?: string;
  resolve: ResolveHost;
  signal?: AbortSignal;
}

/** Calls a server by name, and says in words what came of it. */
type Call = (host: string, port: number, options: Options) => Promise<string>;

const secret = "test-key-rebinding-0123456789";
const policyOf = ({ allow = "" }: Options) => ({ allowHosts: parseHostList(allow).list });

const ways: Record<string, Call> = {
  ...Object.fromEntries(
    waysOut.map(({ name, call }): [string, Call] => [
      name,
      async (host, port, { allow = "", ...options }) => {
        const { error } = await call(`http://${host}:${port}`, { allow, ...options });
        return JSON.stringify(error);
      },
    ]),
  ),
  async oauth(host, port, options) {
    const environment = {
      supabaseUrl: "https://project.example.test",
      publicUrl: null,
      anonKey: "",
      serviceRoleKey: "",
      jwtSecret: null,
      publicKeys: null,
      databaseUrl: null,
      isLocal: true,
      isBehindGateway: false,
      credentialKeys: new Map(),
      credentialKeyVersion: null,
      allowedOrigins: [],
      proxies: undefined,
      ...policyOf(options),
    };
    const fetch = createOAuthFetch({ environment, resolve: options.resolve }, `http://${host}:${port}/mcp`, options);
    return fetch(`http://${host}:${port}/token`, { method: "POST", body: secret }).then(
      ({ status }) => String(status),
      (error) => JSON.stringify(error instanceof OAuthFetchError ? error.failure : String(error)),
    );
  },
  async "send-notice"(host, port, options) {
    const notice = {
      url: `http://${host}:${port}/hook`,
      body: { failed: true },
      secret: "whsec_dGVzdC1rZXktbm90aWNlLTAxMjM0NTY3",
    };
    return String(await sendNotice("1", notice, { ...policyOf(options), ...options }));
  },
  async "send-traces"(host, port, options) {
    const collector = { url: `http://${host}:${port}/v1/traces`, headers: { authorization: secret }, content: true };
    return JSON.stringify(await sendTraces([], collector, { ...policyOf(options), ...options }));
  },
  async "sql-tool"(host, port, options) {
    const fields = {
      connectionString: `postgresql://u:${secret}@${host}:${port}/db`,
      tls: options.allow === undefined,
    };
    const held = { type: "postgres" as const, allowedHosts: [`${host}:${port}`], settings: {} };
    return JSON.stringify(
      await sqlTool(
        { operation: "execute", credential: "c", sql: "select 1", readOnly: true, timeoutMs: 1_000 },
        {
          ...options,
          policy: policyOf(options),
          findCredential: async () => success({ ...held, open: async () => success({ type: "postgres", fields }) }),
        },
      ),
    );
  },
  async "redis-memory"(host, port, options) {
    const fields = { host, port, password: secret, tls: options.allow === undefined, database: 0 };
    return JSON.stringify(
      await redisMemory(
        { action: "load", credential: "c", workflowId: "w", sessionId: "s" },
        {
          ...options,
          owner: "alice",
          policy: policyOf(options),
          findCredential: async () =>
            success({
              type: "redis",
              allowedHosts: [`${host}:${port}`],
              open: async () => success({ type: "redis", fields }),
            }),
        },
      ),
    );
  },
};

const name = "flip.example.test";
const refused = /private, local or reserved|host may not be called/;

/** A server that closes every connection. */
async function listen(address: string, port = 0): Promise<{ server: Server; port: number; count: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on("error", () => undefined);
    socket.once("data", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  const at = server.address();
  return { server, port: typeof at === "object" && at !== null ? at.port : 0, count: () => count };
}

let inside: Awaited<ReturnType<typeof listen>>;
let opened: Awaited<ReturnType<typeof listen>>;
let lookups: string[];

beforeAll(async () => {
  opened = await listen("127.0.0.1");
  inside = await listen("127.0.0.9", opened.port);
});
afterAll(() => [opened, inside].forEach(({ server }) => server.close()));
beforeEach(() => (lookups = []));

const answering =
  (...answers: readonly (readonly string[])[]): ResolveHost =>
  async (hostname) => {
    lookups.push(hostname);
    return answers[Math.min(lookups.length, answers.length) - 1] ?? [];
  };

describe.each(Object.entries(ways))("S3 %s", (_name, call) => {
  test("goes to the address that was checked, whatever the name says by then", async () => {
    const allow = `${name}:${opened.port}`;
    for (const answers of [
      [["127.0.0.1"], ["127.0.0.9"]],
      [["127.0.0.1"], []],
      [["2130706433", "127.0.0.1"], ["127.0.0.9"]],
      [["169.254.169.254", "127.0.0.1"], ["127.0.0.9"]],
      [["fe80::1%lo", "nonsense", "127.0.0.1\0", "127.0.0.1"], ["127.0.0.9"]],
    ]) {
      lookups = [];
      const before = opened.count();
      const said = await call(name, opened.port, { allow, resolve: answering(...answers) });
      expect(opened.count(), said).toBeGreaterThan(before);
      expect(lookups).toEqual([name]);
      expect(said).not.toContain(secret);
    }
    expect(inside.count()).toBe(0);
  });

  test("refuses a name that leads inside at first, in any spelling, however it goes on", async () => {
    const before = opened.count();
    for (const first of [
      ["127.0.0.1"],
      ["::1"],
      ["::ffff:127.0.0.1"],
      ["10.0.0.1", "192.168.0.1"],
      ["169.254.169.254"],
      ["0.0.0.0"],
      ["fd00:ec2::254"],
      ["2130706433"],
      ["fe80::1%lo"],
      [],
    ]) {
      lookups = [];
      const said = await call(name, opened.port, { resolve: answering(first, ["8.8.8.8"]) });
      expect(said, first.join()).toMatch(refused);
      expect(lookups).toEqual([name]);
    }
    expect(opened.count()).toBe(before);
  });

  test("does not wait for a name that is never answered", async () => {
    const gone = new AbortController();
    const never: ResolveHost = () => {
      setTimeout(() => gone.abort(), 10);
      return new Promise(() => undefined);
    };
    expect(await call(name, opened.port, { resolve: never, signal: gone.signal })).toMatch(/cancelled/i);
  });

  test("tries few of very many addresses", async () => {
    const many = Array.from({ length: 4_000 }, (_, at) => `127.0.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`);
    const allow = `${name}:${opened.port}`;
    const started = performance.now();
    const said = await call(name, opened.port, { allow, resolve: answering(many) });
    expect(said).toMatch(/refused|connection|network/i);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

test("S3 nothing else opens a connection", () => {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const opening =
    /(?<!handler\.)\bfetch\(|from "(?:undici|node:(?:https?|tls))"|\bDeno\.connect|import \{[^}]*\bconnect\b[^}]*\} from "node:net"/;
  const opens = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|testing\//.test(file))
    .filter((file) => opening.test(readFileSync(`${folder}/${file}`, "utf8")));
  expect(opens.toSorted()).toEqual([
    "_shared/connection-pool.ts",
    // To the studio's own storage.
    "_shared/files/file-storage.ts",
    "_shared/open-socket.ts",
    "_shared/pinned-connection.ts",
    // Both of these call the studio's own back end.
    "_shared/supabase-client.ts",
    // To the operator's proxy, which is told the checked name.
    "_shared/tunnel-connector.ts",
    "doors/chat/visitor.ts",
  ]);
});
