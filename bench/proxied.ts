import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { startStudio, type Studio } from "../e2e/studio.ts";
import { callFunction, saveTestCredential } from "../supabase/functions/_shared/testing/call-function.ts";
import { startPostgresServer } from "../supabase/functions/_shared/testing/postgres-server.ts";
import { signUp, type SignedIn } from "../supabase/local/testing/clients.ts";
import { compareSpread, median, type Bench, type Row, type Spread } from "./measure.ts";
import { type DistantVendor, distanceMs, startDistantVendor } from "./distant-vendor.ts";
import { startVendorServer } from "./vendor-server.ts";

/** Below what one user may ask of each function in a minute. */
const turns = { turns: 150, warmUp: 20 };
/** Calls that come after a pause in which nothing is remembered any more, as a person's do. */
const lateCalls = 8;
const quietMs = 6_000;
const distantTurns = { turns: 30, warmUp: 3 };

/** Limits in milliseconds above the same call made directly. */
const goals = {
  model: { median: 6, p95: 12 },
  tool: { median: 8, p95: 16 },
  /** After a pause, and over TLS: a connection may have to be opened. */
  opened: { median: 12, p95: 24 },
};

/** A call, made through the studio or directly; resolves when its answer has been read. */
type Call = () => Promise<unknown>;

/** What the way through the studio adds to a call: `npm start` as people have it, servers that answer at once. */
export const proxiedBench: Bench = {
  id: "proxied",
  title: "Calls through the embedded studio, in turns with the same calls made directly",
  async run() {
    const vendor = await startVendorServer();
    const distant = await startDistantVendor(vendor.url);
    const tools = await startToolServer();
    const database = await startPostgresServer({
      setup: "create table orders (id integer primary key, note text); insert into orders values (1, 'one')",
    });
    const studio = await startStudio({
      allowHosts: [new URL(tools.url).host],
      environment: { NODE_EXTRA_CA_CERTS: distant.authority, DENO_CERT: distant.authority },
    });
    try {
      const stack = { url: studio.url, key: await keyOf(studio) };
      const user = await signUp(stack);
      const ways = await openWays(stack, user, {
        vendor: vendor.url,
        distant,
        tools: tools.url,
        database: database.url,
      });
      try {
        const rows: Row[] = [];
        for (const { name, goal, through, direct } of ways.calls) {
          rows.push(...spreadRows(name, await compareSpread(through, direct, turns), goal));
        }
        const [model] = ways.calls;
        if (model) rows.push(await afterQuiet(model));
        const far = await compareSpread(ways.distant.through, ways.distant.direct, distantTurns);
        rows.push(...spreadRows(`model call over TLS, ${distanceMs} ms away`, far, goals.opened));
        return [...rows, ...(await ownAnswers(studio, stack, user))];
      } finally {
        await ways.close();
      }
    } finally {
      await studio.stop();
      await Promise.all([distant.close(), vendor.close(), tools.close(), database.stop()]);
    }
  },
};

async function keyOf(studio: Studio): Promise<string> {
  const html = await (await fetch(studio.url)).text();
  const key = /"supabaseKey":"([^"]+)"/.exec(html)?.[1];
  if (key === undefined) throw new Error("The studio's page names no key.");
  return key;
}

async function read(response: Response, expected: string): Promise<void> {
  const text = await response.text();
  if (!response.ok || !text.includes(expected)) throw new Error(`${response.status} ${text.slice(0, 300)}`);
}

interface Servers {
  vendor: string;
  distant: DistantVendor;
  tools: string;
  database: string;
}

/** The same calls through the studio, with a stored credential each, and directly. */
async function openWays(stack: { url: string; key: string }, user: SignedIn, servers: Servers) {
  const { accessToken } = user;
  const save = (draft: Record<string, unknown>) => saveTestCredential(stack, accessToken, draft);
  const [model, far, page, mcp, sql] = [
    await save({ type: "openai-compatible", fields: { baseUrl: servers.vendor, apiKey: "test-key-model-0123456789" } }),
    await save({
      type: "openai-compatible",
      fields: { baseUrl: servers.distant.url, apiKey: "test-key-model-0123456789" },
    }),
    await save({
      type: "http-bearer",
      fields: { token: "test-key-http-0123456789" },
      allowedHosts: [new URL(servers.tools).host],
    }),
    await save({
      type: "mcp",
      fields: { url: `${servers.tools}/mcp`, headers: { "x-key": "test-key-mcp-0123456789" } },
    }),
    await save({ type: "postgres", fields: { connectionString: servers.database, tls: false } }),
  ];
  const proxy = (path: string, body: string, headers: Record<string, string>) =>
    fetch(`${stack.url}/functions/v1/${path}`, {
      method: "POST",
      headers: { apikey: stack.key, authorization: `Bearer ${accessToken}`, ...headers },
      body,
    });
  const json = { "content-type": "application/json" };
  const question = JSON.stringify({
    model: "calls-1",
    stream: true,
    messages: [{ role: "user", content: "What is 2 + 0?" }],
  });
  const toolCall = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "look" } });
  const ask = async (name: string, body: unknown, expected: string) => {
    const answer = await callFunction(stack, name, accessToken, body);
    if (answer.status !== 200 || !answer.text.includes(expected)) throw new Error(answer.text.slice(0, 300));
  };
  const direct = postgres(servers.database, { max: 1 });
  const calls: { name: string; goal: Goal; through: Call; direct: Call }[] = [
    {
      name: "model call (llm-proxy)",
      goal: goals.model,
      through: async () =>
        read(
          await proxy("llm-proxy/chat/completions", question, { ...json, "x-switchyard-credential": model }),
          "[DONE]",
        ),
      direct: async () =>
        read(
          await fetch(`${servers.vendor}/chat/completions`, { method: "POST", headers: json, body: question }),
          "[DONE]",
        ),
    },
    {
      name: "web request (execute-http)",
      goal: goals.tool,
      through: () => ask("execute-http", { url: `${servers.tools}/page`, credential: page }, "found"),
      direct: async () => read(await fetch(`${servers.tools}/page`), "found"),
    },
    {
      name: "MCP tool (mcp-proxy)",
      goal: goals.tool,
      through: async () =>
        read(await proxy("mcp-proxy", toolCall, { ...json, "x-switchyard-credential": mcp }), "found"),
      direct: async () =>
        read(await fetch(`${servers.tools}/mcp`, { method: "POST", headers: json, body: toolCall }), "found"),
    },
    {
      name: "Postgres tool (sql-tool)",
      goal: goals.tool,
      through: () => ask("sql-tool", { operation: "select", credential: sql, table: "orders" }, "one"),
      direct: () => direct`select * from orders limit 1000`,
    },
  ];
  const distant = {
    through: async () =>
      read(await proxy("llm-proxy/chat/completions", question, { ...json, "x-switchyard-credential": far }), "[DONE]"),
    direct: () => servers.distant.ask(question),
  };
  return { calls, distant, close: () => direct.end({ timeout: 5 }) };
}

/** A page and an MCP server that knows one tool, in a server that answers at once. */
async function startToolServer(): Promise<{ url: string; close(): Promise<void> }> {
  const result = { content: [{ type: "text", text: "found" }] };
  return serve((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(request.url === "/mcp" ? { jsonrpc: "2.0", id: 1, result } : { page: "found" }));
    });
  });
}

async function serve(listener: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Goal {
  median: number;
  p95: number;
}

function spreadRows(name: string, { ours, bare }: Spread, goal: Goal): Row[] {
  const row = (which: keyof Goal): Row => ({
    name: `${name}, ${which}`,
    value: ours[which],
    unit: "ms",
    baseline: bare[which],
    ratio: ours[which] / bare[which],
    goal: `≤ direct + ${goal[which]} ms`,
    met: ours[which] - bare[which] <= goal[which],
  });
  return [row("median"), row("p95")];
}

async function afterQuiet({ name, through, direct }: { name: string; through: Call; direct: Call }) {
  const pairs: { ours: number; bare: number }[] = [];
  for (let call = 0; call < lateCalls; call += 1) {
    await sleep(quietMs);
    const { ours, bare } = await compareSpread(through, direct, { turns: 1, warmUp: 0 });
    pairs.push({ ours: ours.median, bare: bare.median });
  }
  const spread = (values: number[]) => ({ median: median(values), p95: median(values) });
  const [row] = spreadRows(
    `${name} after ${quietMs / 1_000} s without one`,
    { ours: spread(pairs.map(({ ours }) => ours)), bare: spread(pairs.map(({ bare }) => bare)) },
    goals.opened,
  );
  if (!row) throw new Error("There is no row.");
  return row;
}

/** What the studio answers itself, beside a bare server with an answer of the same length. */
async function ownAnswers(studio: Studio, stack: { key: string }, user: SignedIn): Promise<Row[]> {
  const { error } = await user.client.from("studio_workflows").insert({ name: "One", document: {} });
  if (error) throw new Error(error.message);
  const html = await (await fetch(studio.url)).text();
  const asset = /\/assets\/[^"]+\.js/.exec(html)?.[0];
  if (asset === undefined) throw new Error("The studio's page has no script.");
  const headers = { apikey: stack.key, authorization: `Bearer ${user.accessToken}` };
  const rows = `${studio.url}/rest/v1/studio_workflows?select=id,name&limit=1`;
  return [
    await besideBare("one row by REST", rows, { headers }),
    // As it is, since unpacking it would be this program's time.
    await besideBare("one file of the site", `${studio.url}${asset}`, { headers: { "accept-encoding": "identity" } }),
  ];
}

async function besideBare(name: string, address: string, init: RequestInit): Promise<Row> {
  const get = async (url: string) => {
    const response = await fetch(url, init);
    const body = await response.arrayBuffer();
    if (!response.ok) throw new Error(`${url} answered with status ${response.status}.`);
    return Buffer.from(body);
  };
  const body = await get(address);
  const bare = await serve((_request, response) => response.end(body));
  try {
    const spread = await compareSpread(
      () => get(address),
      () => get(bare.url),
      turns,
    );
    const value = spread.ours.median;
    const baseline = spread.bare.median;
    return { name, value, unit: "ms", baseline, ratio: value / baseline, goal: "for information", met: true };
  } finally {
    await bare.close();
  }
}
