import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { Agent, fetch } from "undici";
import { dishonestPostgres } from "../../supabase/functions/_shared/testing/dishonest-postgres.ts";
import { dishonestAnywhere, dishonestWeb } from "../../supabase/functions/_shared/testing/dishonest-server.ts";
import { startRawServer } from "../../supabase/functions/_shared/testing/raw-server.ts";
import { beginPost, manyLists } from "../../supabase/local/testing/hostile-requests.ts";

/** A guest who means harm: signed in, at an address of its own. */
export interface Attacker {
  url: string;
  key: string;
  token: string;
  email: string;
  agent: Agent;
  /** Ends what waits for an answer. */
  signal: AbortSignal;
}

type Behaviour = (attacker: Attacker) => Promise<unknown>;

const pick = <Value>(values: readonly Value[]): Value => {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error("There is nothing to pick from.");
  return value;
};

async function send(attacker: Attacker, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const { url, key, token, agent, signal } = attacker;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { apikey: key, authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: text }),
    dispatcher: agent,
    signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
  });
  return response.text();
}

const functions = ["execute-http", "sql-tool", "redis-memory", "mcp-proxy", "llm-proxy", "credentials"];
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const workflow = (document: string) => `{"id":"${randomUUID()}","name":"Siege","document":${document}}`;

/** Calls a function that then speaks to a server of the attacker's. */
async function callDishonest(
  attacker: Attacker,
  name: string,
  talks: Readonly<Record<string, (socket: Socket) => void>>,
  draft: (port: number) => { type: string; fields: object; allowedHosts?: string[] },
  body: (port: number, credential: string) => object,
): Promise<void> {
  const server = await startRawServer(pick(Object.values(talks)));
  try {
    const saved = await send(attacker, "/functions/v1/credentials", {
      action: "save",
      name: `Siege ${randomUUID()}`,
      ...draft(server.port),
    });
    const credential = /"id":"([0-9a-f-]{36})"/.exec(saved)?.[1] ?? randomUUID();
    await send(attacker, `/functions/v1/${name}`, body(server.port, credential), {
      "x-switchyard-credential": credential,
    });
  } finally {
    await server.stop();
  }
}

/** What guests of a siege do, by name. Each may reject: nobody looks at what it got. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  "nested pattern": (attacker) =>
    send(attacker, `/rest/v1/studio_workflows?name=match.${"(".repeat(3_000)}${")".repeat(3_000)}`),
  "costly filter": (attacker) =>
    send(attacker, `/rest/v1/studio_workflows?name=ilike.*${encodeURIComponent("a%b%c%d%".slice(0, 8))}*`),
  "deep document": (attacker) => send(attacker, "/rest/v1/studio_workflows", workflow(deep(100_000))),
  "large document": (attacker) =>
    send(attacker, "/rest/v1/studio_workflows", workflow(JSON.stringify({ text: "x".repeat(4_000_000) }))),
  "many values to the API": (attacker) => send(attacker, "/rest/v1/studio_workflows", manyLists()),
  "many values to a function": (attacker) => send(attacker, `/functions/v1/${pick(functions)}`, manyLists()),
  "many values inside a text": (attacker) =>
    send(attacker, "/functions/v1/execute-http", { method: "POST", url: "http://10.0.0.1/", body: manyLists() }),
  "half a request": async ({ url, token }) => {
    const headers = [`authorization: Bearer ${token}`];
    const posts = Array.from({ length: 10 }, () =>
      beginPost(url, "/rest/v1/studio_workflows", { announced: 30_000_000, sent: 1_000, headers }),
    );
    await Promise.race([Promise.all(posts.map(({ answer }) => answer)), wait(5_000)]);
    for (const { socket } of posts) socket.destroy();
  },
  "a burst of lists": (attacker) =>
    Promise.all(
      Array.from({ length: 60 }, () =>
        send(attacker, "/rest/v1/rpc/studio_list_workflows", {
          p_search: "a e i",
          p_order: "name",
          p_after: null,
          p_limit: 100,
        }),
      ),
    ),
  "guessed passwords": (attacker) =>
    Promise.all(
      Array.from({ length: 8 }, () =>
        send(attacker, "/auth/v1/token?grant_type=password", { email: attacker.email, password: randomUUID() }),
      ),
    ),
  "a dishonest Postgres": (attacker) =>
    callDishonest(
      attacker,
      "sql-tool",
      { ...dishonestAnywhere, ...dishonestPostgres },
      (port) => ({
        type: "postgres",
        fields: { connectionString: `postgresql://user:test-key-db@127.0.0.1:${port}/db`, tls: false },
      }),
      (_port, credential) => ({ operation: "execute", credential, sql: "select 1", readOnly: true, timeoutMs: 2_000 }),
    ),
  "a dishonest Redis": (attacker) =>
    callDishonest(
      attacker,
      "redis-memory",
      dishonestAnywhere,
      (port) => ({ type: "redis", fields: { host: "127.0.0.1", port, tls: false, database: 0 } }),
      (_port, credential) => ({ action: "load", credential, workflowId: "w", sessionId: "s" }),
    ),
  "a dishonest MCP server": (attacker) =>
    callDishonest(
      attacker,
      "mcp-proxy",
      { ...dishonestAnywhere, ...dishonestWeb },
      (port) => ({ type: "mcp", fields: { url: `http://127.0.0.1:${port}/mcp` } }),
      () => ({ jsonrpc: "2.0", id: 1, method: "ping" }),
    ),
  "a dishonest model server": (attacker) =>
    callDishonest(
      attacker,
      "llm-proxy/chat/completions",
      { ...dishonestAnywhere, ...dishonestWeb },
      (port) => ({
        type: "openai-compatible",
        fields: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "test-key-model" },
      }),
      () => ({ model: "one" }),
    ),
  "a dishonest web server": (attacker) =>
    callDishonest(
      attacker,
      "execute-http",
      { ...dishonestAnywhere, ...dishonestWeb },
      () => ({ type: "http-bearer", fields: { token: "test-key-http" }, allowedHosts: ["127.0.0.1"] }),
      (port) => ({ url: `http://127.0.0.1:${port}/`, timeoutMs: 2_000 }),
    ),
};

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
