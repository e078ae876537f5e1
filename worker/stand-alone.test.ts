import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toolPin } from "../src/nodes/tools/mcp/tool-pin.ts";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { saveTestCredential } from "../supabase/functions/_shared/testing/call-function.ts";
import { type LoopbackServer, startLoopbackServer } from "../supabase/functions/_shared/testing/loopback-server.ts";
import { type PostgresServer, startPostgresServer } from "../supabase/functions/_shared/testing/postgres-server.ts";
import { type RedisServer, startRedisServer } from "../supabase/functions/_shared/testing/redis-server.ts";
import { startFunctions } from "../supabase/local/functions/edge-functions.ts";
import { signUp } from "../supabase/local/testing/clients.ts";
import { addVectors } from "../supabase/local/database/postgres/testing/vector-stand-in.ts";
import { signAccountToken } from "./account-tokens.ts";
import { functionsTokenHeader } from "./functions-beside.ts";
import { echoTool, startEchoServer } from "./testing/echo-mcp-server.ts";
import { orderOf } from "./testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "./testing/worker-world.ts";

const program = fileURLToPath(new URL("start-worker.mjs", import.meta.url));
const projectRoot = fileURLToPath(new URL("..", import.meta.url));
const passwords = { worker: "test-key-worker-role-0123456789", functions: "test-key-functions-role-0123456789" };
/** Nobody answers here. */
const nowhere = "http://127.0.0.1:1";

let dataDir: string;
let server: PostgresServer;
let redis: RedisServer;
let echoes: LoopbackServer;
let world: WorkerWorld;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "switchyard-alone-"));
  server = await startPostgresServer();
  await addVectors(server);
  [world, redis, echoes] = await Promise.all([
    startWorkerWorld({ workers: 0, databaseUrl: server.url, dataDir, log: () => {} }),
    startRedisServer(),
    startEchoServer(),
  ]);
  await server.run(`
    alter role studio_worker login password '${passwords.worker}';
    create role studio_functions login noinherit password '${passwords.functions}';
    create table public.stock (item text, amount integer);
    insert into public.stock values ('pens', 3);`);
});

afterAll(async () => {
  for (const worker of workers) worker.kill("SIGKILL");
  await Promise.all([world?.stop(), redis?.stop(), echoes?.stop()]);
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const environment = () => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  DATABASE_URL: server.urlOf("studio_worker", passwords.worker),
  FUNCTIONS_DATABASE_URL: server.urlOf("studio_functions", passwords.functions),
  SUPABASE_URL: nowhere,
  STUDIO_KEYS_FILE: join(dataDir, "keys.json"),
  STUDIO_ALLOW_HOSTS: "127.0.0.1",
});

/** Starts a worker; resolves when it takes runs, or with what it said when it ended. */
async function startWorker(
  variables: Record<string, string | undefined> = {},
): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [program], {
    env: { ...environment(), ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  workers.push(child);
  let said = "";
  child.stderr.on("data", (data: Buffer) => (said += data.toString()));
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve) => {
    lines.on("line", (line) => {
      said += `${line}\n`;
      if (line === "The worker is ready.") resolve();
    });
    void ended.then(() => resolve());
  });
  return { child, said };
}

/** A workflow that calls a model, an MCP server, Redis, Postgres and a web API. */
async function publishCalls(): Promise<void> {
  const token = world.user.accessToken;
  const database = new URL(server.url);
  const save = (type: string, fields: object) => saveTestCredential(world.stack, token, { type, fields });
  const [shop, memory, rows] = [
    await save("mcp", { url: `http://${echoes.host}/mcp` }),
    await save("redis", { host: "127.0.0.1", port: redis.port, tls: false, database: 0 }),
    await save("postgres", { connectionString: database.href, tls: false }),
  ];
  await world.publish(
    buildWorkflow({
      id: crypto.randomUUID(),
      name: "calls",
      nodes: {
        chat: ["chat-trigger"],
        agent: ["ai-agent", {}],
        model: ["openai-compatible-model", world.stepAgent().nodes["model"]?.config ?? {}],
        memory: ["redis-memory", { credential: memory }],
        shop: ["mcp-tool", { credential: shop, serverName: "shop", pins: { echo: toolPin(echoTool) } }],
        rows: ["postgres", { credential: rows, operation: "select", tableName: "stock", result: "rows" }],
        send: ["http-request", { method: "GET", url: `http://${world.servers.api.host}/step?run=flow&step=1` }],
      },
      edges: [
        "chat.main -> agent.main",
        "model.model -> agent.model",
        "memory.memory -> agent.memory",
        "shop.tool -> agent.tools",
        "agent.main -> rows.main",
        "rows.main -> send.main",
      ],
    }),
  );
}

it("S11 a role that may not become its users' is refused at the start, in words", async () => {
  const { child, said } = await startWorker();
  expect(child.exitCode).toBe(1);
  expect(said).toContain("The database of FUNCTIONS_DATABASE_URL refuses the functions");
  expect(said).toContain("grant authenticated, service_role to");
  for (const secret of Object.values(passwords)) expect(said).not.toContain(secret);
  await server.run("grant authenticated, service_role to studio_functions");
});

it("a worker calls models, services, databases and MCP servers while nothing but Postgres is reached", async () => {
  await publishCalls();
  const { child, said } = await startWorker();
  expect(said).toContain("beside this worker");
  const id = await world.start("calls", { message: orderOf("alone", 1, "shop__echo") });
  const row = await world.until(id, "completed");
  expect(row).toMatchObject({ attempt: 1 });
  const events = await world.events(id);
  expect(events.filter(({ type }) => type === "tool-call-end")).toMatchObject([
    { ok: true, text: JSON.stringify({ run: "alone", step: "0" }) },
  ]);
  expect(JSON.stringify(events)).toContain("pens");
  expect(world.servers.toolHits.filter(({ run }) => run === "flow")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "memory-load")).toHaveLength(1);

  // The process that runs workflows was given nothing that opens credentials.
  const keys = JSON.parse(readFileSync(join(dataDir, "keys.json"), "utf8")) as Record<string, unknown>;
  const master = Object.values(keys["credentialsKeys"] as Record<string, string>)[0] ?? "";
  const runners = runsWorkflows(child.pid ?? 0);
  expect(runners).toHaveLength(process.platform === "linux" ? 1 : 0);
  for (const variables of runners) {
    expect(variables).toContain("WORKER_FUNCTIONS=beside");
    for (const secret of [master, String(keys["secretKey"]), passwords.functions, "keys.json"]) {
      expect(variables).not.toContain(secret);
    }
  }
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
});

/** The environments of the processes below one that run workflows. */
function runsWorkflows(pid: number): string[] {
  if (process.platform !== "linux") return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("worker-process.mjs"))
    .map((child) => readFileSync(`/proc/${child}/environ`, "utf8"));
}

it("keeps the bytes of a file where the API is, and its row straight in Postgres", async () => {
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
  const pictures = await startLoopbackServer(
    (_request, response) => void response.writeHead(200, { "content-type": "image/png" }).end(bytes),
  );
  await world.publish(
    buildWorkflow({
      id: crypto.randomUUID(),
      name: "keeps",
      nodes: {
        start: ["manual-trigger"],
        get: ["http-request", { method: "GET", url: `http://${pictures.host}/a.png`, binary: "file", result: "body" }],
      },
      edges: ["start.main -> get.main"],
    }),
  );
  const { child } = await startWorker({ SUPABASE_URL: world.stack.innerUrl });
  const id = await world.start("keeps", {});
  const { output } = await world.until(id, "completed");
  const { value } = output as { value: { $file: string; size: number } };
  expect(value).toMatchObject({ mediaType: "image/png", size: bytes.length });
  const kept = await fetch(`${world.stack.url}/functions/v1/files/${value.$file}`, {
    headers: { apikey: world.stack.key, authorization: `Bearer ${world.user.accessToken}` },
  });
  expect(Buffer.from(await kept.arrayBuffer())).toEqual(bytes);
  await pictures.stop();
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
});

it("S11 S40 functions beside a worker verify who calls, and open no credential of another user", async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const kid = "test-key-of-a-worker";
  const cache = await mkdtemp(join(tmpdir(), "switchyard-deno-"));
  const proof = { [functionsTokenHeader]: "" };
  const functions = startFunctions({
    projectRoot,
    folder: join(projectRoot, "supabase", "functions"),
    cache,
    dataRoot: dataDir,
    environment: {
      FUNCTIONS_DATABASE_URL: environment().FUNCTIONS_DATABASE_URL,
      SUPABASE_URL: nowhere,
      SUPABASE_ANON_KEY: "test-key-publishable",
      SUPABASE_SERVICE_ROLE_KEY: "test-key-secret",
      JWT_PUBLIC_KEYS: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: "ES256" }] }),
    },
    log: () => {},
  });
  const { userId } = world.user;
  const other = await signUp(world.stack);
  const own = JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg: "ES256" });
  const strange = await generateKeyPair("ES256", { extractable: true });
  const foreign = JSON.stringify({ ...(await exportJWK(strange.privateKey)), kid, alg: "ES256" });
  const [credential] = await world.stack.sql<{ id: string }>(
    "select id from public.studio_credentials where owner = $1 and type = 'openai-compatible'",
    [userId],
  );
  try {
    // One that passes answers on, and one that answers by itself.
    for (const name of ["llm-proxy", "sql-tool"]) {
      const call = functions.find(name)?.begin();
      const address = await call?.address;
      const ask = async (token: string | null) => {
        const response = await fetch(`${address?.origin}/${name}/v1`, {
          method: "POST",
          headers: {
            ...proof,
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
            "x-switchyard-credential": credential?.id ?? "",
          },
          body: "{}",
        });
        return { status: response.status, text: await response.text() };
      };
      expect((await ask(await signAccountToken(userId, own))).status, name).toBe(403);
      proof[functionsTokenHeader] = address?.token ?? "";
      for (const token of [null, await signAccountToken(userId, foreign), world.user.accessToken]) {
        expect((await ask(token)).status, name).toBe(401);
      }
      const answered = await ask(await signAccountToken(other.userId, own));
      expect(answered.status, `${name}: ${answered.text}`).toBe(400);
      if (name === "llm-proxy") expect(answered.text).toContain("or it is not yours");
      call?.end();
    }
  } finally {
    await functions.stop();
    await rm(cache, { recursive: true, force: true });
  }
});

it("S80 a worker that is killed takes its functions and what runs workflows along", async () => {
  const { child } = await startWorker();
  const below = descendants(child.pid ?? 0);
  expect(below.length).toBeGreaterThan(process.platform === "linux" ? 1 : -1);
  child.kill("SIGKILL");
  await world.eventually(() => (below.some(isAlive) ? undefined : true));
});

function descendants(pid: number): number[] {
  if (process.platform !== "linux") return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  return children.map(Number).flatMap((child) => [child, ...descendants(child)]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
