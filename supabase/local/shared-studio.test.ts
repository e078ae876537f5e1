import { readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWorkflow } from "../../src/engine/testing/build-workflow.ts";
import { callFunction, saveTestCredential } from "../functions/_shared/testing/call-function.ts";
import { type LoopbackServer, startLoopbackServer } from "../functions/_shared/testing/loopback-server.ts";
import { createSelfSignedCertificate } from "../functions/_shared/testing/self-signed-certificate.ts";
import { loadCertificate } from "./http/certificate.ts";
import { listen } from "./http/http-server.ts";
import { createOriginGuard } from "./http/origin-guard.ts";
import { createTestClient, type SignedIn, signUp } from "./testing/clients.ts";
import { startTestStack, type TestStack } from "./testing/start-stack.ts";

const functions = readdirSync(fileURLToPath(new URL("../functions", import.meta.url)), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
  .map((entry) => entry.name);

describe("S70 a studio that others use over a network", () => {
  let root: string;
  let inside: LoopbackServer;
  let stack: TestStack;
  let guest: SignedIn;
  const ids: Record<string, string> = {};

  /** Credentials for services of this machine, as the studio's own person may have stored them before it was opened. */
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "switchyard-shared-"));
    inside = await startLoopbackServer((_request, response) => response.end("inside"));
    const own = await startTestStack({ dataDir: root, functions: true });
    guest = await signUp(own);
    const { port, host } = inside;
    const url = `http://${host}/v1`;
    const drafts: Record<string, Record<string, unknown>> = {
      model: { type: "openai-compatible", fields: { baseUrl: url, apiKey: "test-key-model" } },
      bearer: { type: "http-bearer", fields: { token: "test-key-bearer" }, allowedHosts: [host] },
      mcp: { type: "mcp", fields: { url } },
      oauth: { type: "mcp-oauth", fields: { url } },
      postgres: { type: "postgres", fields: { connectionString: `postgres://u:p@${host}/db`, tls: false } },
      redis: { type: "redis", fields: { host: "127.0.0.1", port, tls: false, database: 0 } },
    };
    for (const [name, draft] of Object.entries(drafts)) {
      ids[name] = await saveTestCredential(own, guest.accessToken, draft);
    }
    await own.stop();
    stack = await startTestStack({ dataDir: root, functions: true, shared: true });
  });

  afterAll(async () => {
    await stack.stop();
    await inside.stop();
    await rm(root, { recursive: true, force: true });
  });

  const call = (name: string, body: unknown, headers?: Record<string, string>) =>
    callFunction(stack, name, guest.accessToken, body, headers);
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const mcp = (credential: string | undefined) => ({ "x-switchyard-credential": credential ?? "" });

  /** A failure that a workflow of the guest is to tell a webhook on this machine; gives the notice's id. */
  async function failureNotice(): Promise<string> {
    const client = createTestClient(stack);
    await client.auth.signInWithPassword({ email: guest.email, password: guest.password });
    const id = crypto.randomUUID();
    const document = buildWorkflow({ id, nodes: { start: ["manual-trigger"] } });
    await client.from("studio_workflows").insert({ id, name: document.name, document });
    const published = await client.rpc("studio_publish", {
      p_workflow_id: id,
      p_document: document,
      p_workflows: {},
      p_hash: "0".repeat(64),
      p_schedules: [],
      p_slug: "tells",
      p_note: "",
      p_revision: 1,
      p_target: "live",
    });
    expect(published.error).toBeNull();
    const secret = { p_workflow_id: id, p_secret: `whsec_${btoa("test-key-webhook-0123456789")}` };
    expect((await client.rpc("studio_set_failure_secret", secret)).error).toBeNull();
    const [notice] = await stack.sql<{ id: string }>(
      `insert into private.studio_notices (owner, workflow_id, key, url, body)
       select owner, workflow_id, 'test', $2, '{}' from public.studio_publications where workflow_id = $1 returning id`,
      [id, `http://${inside.host}/`],
    );
    return notice?.id ?? "";
  }

  /** A run of the guest whose trace is to go to a collector on this machine, as the function is asked for it. */
  async function waitingTrace(): Promise<{ workflow: string; runs: string[] }> {
    const [made] = await stack.sql<{ workflow: string; run: string }>(
      `with workflow as (
         insert into public.studio_workflows (id, owner, name, document)
         values (gen_random_uuid(), $1, 'Traced', '{"nodes":{}}') returning id, owner
       ), publication as (
         insert into public.studio_publications (workflow_id, owner, slug)
         select id, owner, 'traced' from workflow returning workflow_id
       ), run as (
         insert into public.studio_runs (workflow_id, owner, source, status)
         select id, owner, 'api', 'completed' from workflow returning id, workflow_id
       )
       select run.id as run, run.workflow_id as workflow from run, publication`,
      [guest.userId],
    );
    const { workflow = "", run = "" } = made ?? {};
    await stack.sql("insert into private.studio_collectors (workflow_id, url) values ($1, $2)", [
      workflow,
      `http://${inside.host}/v1/traces`,
    ]);
    await stack.sql("insert into private.studio_trace_exports (run_id, owner, workflow_id) values ($1, $2, $3)", [
      run,
      guest.userId,
      workflow,
    ]);
    await stack.sql(
      `insert into public.studio_run_events (run_id, run_added_at, owner, seq, at, type, event)
       select id, added_at, $2, 0, now(), 'run-start', $3 from public.studio_runs where id = $1`,
      [run, guest.userId, JSON.stringify({ type: "run-start", runId: run, seq: 0, at: 1, workflowName: "Traced" })],
    );
    return { workflow, runs: [run] };
  }

  /** For each function the calls that lead to an address which somebody chose. */
  const ways: Record<string, [string, () => Promise<{ text: string }>][]> = {
    "llm-proxy": [["a model's base URL", () => call("llm-proxy/chat/completions", {}, mcp(ids["model"]))]],
    "execute-http": [
      ["an HTTP credential", () => call("execute-http", { url: `http://${inside.host}/`, credential: ids["bearer"] })],
      ["no credential", () => call("execute-http", { url: `http://${inside.host}/` })],
      ["the name localhost", () => call("execute-http", { url: `http://localhost:${inside.port}/` })],
    ],
    "mcp-proxy": [
      ["an MCP credential", () => call("mcp-proxy", message, mcp(ids["mcp"]))],
      [
        "a bearer credential",
        () => call("mcp-proxy", message, { ...mcp(ids["bearer"]), "x-switchyard-url": `http://${inside.host}/` }),
      ],
    ],
    "mcp-sign-in": [
      [
        "signing in to an MCP server",
        () => {
          const redirectUrl = `${stack.url}/oauth/callback`;
          return call("mcp-sign-in", { action: "start", credential: ids["oauth"], redirectUrl }, { origin: stack.url });
        },
      ],
    ],
    "sql-tool": [
      [
        "a Postgres credential",
        () => call("sql-tool", { operation: "execute", credential: ids["postgres"], sql: "select 1", parameters: [] }),
      ],
    ],
    "redis-memory": [
      [
        "a Redis credential",
        () =>
          call("redis-memory", {
            action: "load",
            credential: ids["redis"],
            keyPrefix: "agent:memory:",
            workflowId: "w",
            sessionId: "s",
          }),
      ],
    ],
    // They take texts or bytes alone: nobody can name an address to them.
    conversations: [],
    doors: [],
    embed: [],
    files: [],
    "send-notice": [["the webhook of a workflow", async () => call("send-notice", { notice: await failureNotice() })]],
    "send-traces": [["the collector of a workflow", async () => call("send-traces", await waitingTrace())]],
    credentials: [
      ...["model", "mcp", "postgres", "redis"].map((name): [string, () => Promise<{ text: string }>] => [
        `testing the ${name} credential`,
        () => call("credentials", { action: "test", id: ids[name] }),
      ]),
      ["looking for model servers", () => call("credentials", { action: "find-local" })],
    ],
  };

  test("every function is tried", () => {
    expect(Object.keys(ways).toSorted()).toEqual(functions.toSorted());
  });

  test.each(Object.entries(ways).flatMap(([name, tries]) => tries.map(([what, ask]) => [name, what, ask] as const)))(
    "S70 %s opens no connection to this machine by %s",
    async (_name, _what, ask) => {
      const answer = await ask();
      expect(answer.text).toMatch(/blocked_address|private, local or reserved|may not be called/);
      expect(inside.connections()).toBe(0);
    },
  );
});

/** What is said to a server that speaks TLS, and is none that it may go on with. */
const oddBeginnings = [
  "GET /auth/v1/settings HTTP/1.1\r\nhost: studio.example.test\r\n\r\n",
  "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: TLS/1.2\r\nconnection: upgrade\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  Buffer.alloc(100_000, 0xa5),
  Buffer.alloc(100_000),
  // A record of 16 kB that is announced, an alert, application data before any handshake, SSL 2, a heartbeat.
  Buffer.from("160301ffff01", "hex"),
  Buffer.from("15030300020100", "hex"),
  Buffer.from("170303000548656c6c6f", "hex"),
  Buffer.from("802e0100020015000000100100800200800300800400800500800600400700c00800800000", "hex"),
  Buffer.from("1803020003014000", "hex"),
];

/** What a server says to these bytes, until it closes or two seconds are over. */
function firstAnswer(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let said = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on("data", (data) => (said += data.toString("latin1")));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(said));
  });
}

/** Whether a client with these options comes to terms with a server, whoever it is. */
function shakesHands(port: number, options: ConnectionOptions): Promise<boolean> {
  return new Promise((resolve) => {
    let socket: TLSSocket | undefined;
    const done = (does: boolean) => {
      socket?.destroy();
      resolve(does);
    };
    try {
      socket = connectTls({ ...options, port, host: "127.0.0.1", rejectUnauthorized: false }, () => done(true));
      socket.on("error", () => done(false));
    } catch {
      done(false);
    }
  });
}

describe("an encrypted studio", () => {
  let root: string;
  let tls: { certificate: string; key: string };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "switchyard-tls-"));
    tls = { certificate: join(root, "cert.pem"), key: join(root, "key.pem") };
    const made = createSelfSignedCertificate("studio.example.test");
    await writeFile(tls.certificate, made.cert);
    await writeFile(tls.key, made.key);
  });

  afterAll(() => rm(root, { recursive: true, force: true }));

  test("S70 is served by the given certificate, under its name, and its functions work", async () => {
    const stack = await startTestStack({ functions: true, tls });
    try {
      const { port, hostname, protocol } = new URL(stack.url);
      expect([protocol, hostname]).toEqual(["https:", "studio.example.test"]);
      const { cert } = await loadCertificate(tls);
      const ask = (path: string, host: string, headers: Record<string, string> = {}) =>
        new Promise<number | undefined>((resolve, reject) => {
          const sent = request(
            { host: "127.0.0.1", port, path, ca: cert, servername: hostname, headers: { host, ...headers } },
            (response) => {
              response.resume();
              response.once("end", () => resolve(response.statusCode));
            },
          );
          sent.once("error", reject);
          sent.end();
        });
      const own = `${hostname}:${port}`;
      const key = { apikey: stack.key };
      expect(await ask("/auth/v1/settings", own, { ...key, origin: `https://${own}` })).toBe(200);
      expect(await ask("/auth/v1/settings", own, { ...key, origin: `http://${own}` })).toBe(403);
      expect(await ask("/auth/v1/settings", `evil.example:${port}`, key)).toBe(403);
      // Whoever begins otherwise than with TLS of this age, or does not go on, is cut off; others are served meanwhile.
      const plainAnswers = await Promise.all(oddBeginnings.map((bytes) => firstAnswer(Number(port), bytes)));
      for (const answer of plainAnswers) expect(answer).not.toMatch(/HTTP\/1\.1 2|test-key/);
      for (const maxVersion of ["TLSv1", "TLSv1.1"] as const)
        expect(await shakesHands(Number(port), { maxVersion, minVersion: "TLSv1" }), maxVersion).toBe(false);
      expect(
        await shakesHands(Number(port), { ciphers: "NULL:aNULL:RC4:3DES", maxVersion: "TLSv1.2" }),
        "weak ciphers",
      ).toBe(false);
      const silent = Array.from({ length: 50 }, () => connect(Number(port), "127.0.0.1").on("error", () => undefined));
      expect(await ask("/auth/v1/settings", own, key)).toBe(200);
      for (const socket of silent) socket.destroy();
      // By way of the functions, which ask the API of this machine who is calling.
      const user = await signUp({ url: stack.innerUrl, key: stack.key });
      expect((await callFunction({ ...stack, url: stack.innerUrl }, "credentials", user.accessToken, {})).status).toBe(
        400,
      );
    } finally {
      await stack.stop();
    }
  });

  test("S70 a certificate that is none, or whose key is another's, is refused with what to do", async () => {
    const other = join(root, "other.pem");
    await writeFile(other, createSelfSignedCertificate("studio.example.test").key);
    const wrong = { message: expect.stringContaining("no certificate with its key"), hint: expect.any(String) };
    await expect(loadCertificate({ ...tls, key: other })).rejects.toMatchObject(wrong);
    await expect(loadCertificate({ certificate: other, key: other })).rejects.toMatchObject(wrong);
    const missing = { message: expect.stringContaining("--tls-cert cannot be read"), hint: expect.any(String) };
    await expect(loadCertificate({ ...tls, certificate: join(root, "no.pem") })).rejects.toMatchObject(missing);
  });

  test("S42 a pattern in a certificate stands for its names, and for no other", () => {
    const guard = createOriginGuard({
      host: "0.0.0.0",
      port: 443,
      certifies: (name) => /^\w+\.example\.test$/.test(name),
    });
    const passes = (host: string) => guard(new Request("http://x.invalid/", { headers: { host } })) === null;
    expect([passes("a.example.test"), passes("a.example.test:443"), passes("a.b.example.test")]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

test("S70 a server knows whether others can reach it", async () => {
  for (const host of ["127.0.0.1", "localhost"]) {
    const server = await listen(host, 0);
    expect(server.isLoopback, host).toBe(true);
    await server.close();
  }
});
