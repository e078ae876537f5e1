import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { doorConfigs } from "../../../src/doors/door-config.ts";
import { z } from "zod/mini";
import type { WorkflowDocument } from "../../../src/engine/document/workflow-document.ts";
import type { EventOf } from "../../../src/engine/run/events.ts";
import { openTools } from "../../../src/engine/run/open-tools.ts";
import { testHost } from "../../../src/engine/testing/test-host.ts";
import { allowableSchema } from "../../../src/engine/trust/allowed-values.ts";
import { callerTerms } from "../../../src/engine/trust/caller-terms.ts";
import { doorKinds, runSourceNames, runSources } from "../../../src/engine/trust/run-sources.ts";
import { nodeRegistry } from "../../../src/nodes/index.ts";
import { createAllowedValues } from "../../../src/state/run/storage/allowed-values.ts";
import { orderOf } from "../../../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../worker/testing/worker-world.ts";
import { makeApiKey } from "./testing/api-keys.ts";

const secret = "test-key-of-the-webhook-0123456789";
let world: WorkerWorld;
let key: string;
/** Ids of the workflows by slug. */
const workflows: Record<string, string> = {};

/** An agent that sends, and asks first once it has read what strangers wrote. */
function sending(name: string, { fromHook = false } = {}): WorkflowDocument {
  const document = world.stepAgent({ approval: "ask-after-untrusted", memory: true, name });
  const { chat, agent, memory } = document.nodes;
  if (!chat || !agent || !memory) throw new Error("The agent of the test has changed.");
  memory.config = { ...memory.config, sessionId: "shared" };
  if (fromHook) {
    chat.type = "webhook-trigger";
    agent.config = { ...agent.config, userMessage: "{{json.body.message}}" };
  }
  return document;
}

async function saveDoor(slug: string, kind: string, config: object = {}): Promise<void> {
  const door = { p_workflow_id: workflows[slug], p_kind: kind, p_enabled: true, p_config: config, p_secrets: null };
  const { error } = await world.user.client.rpc("studio_save_door", door);
  if (error) throw new Error(error.message);
}

const hookConfig = { scheme: "bearer" };

/** Publishes both workflows of one name and opens all their doors. */
async function open(name: string): Promise<void> {
  workflows[name] = await world.publish(sending(name));
  workflows[`${name}-hook`] = await world.publish(sending(`${name}-hook`, { fromHook: true }));
  for (const kind of ["api", "chat", "mcp"]) await saveDoor(name, kind);
  await saveDoor(`${name}-hook`, "hook", hookConfig);
  const renewed = { p_workflow_id: workflows[`${name}-hook`], p_secret: secret, p_keep_previous: false };
  await world.user.client.rpc("studio_renew_hook_secret", renewed);
}

beforeAll(async () => {
  world = await startWorkerWorld();
  key = (await makeApiKey(world.user, ["run:*", "runs:read"])).key;
  await open("open");
  await open("trusted");
  for (const kind of ["api", "chat", "mcp"]) await saveDoor("trusted", kind, { callersTrusted: true });
  await saveDoor("trusted-hook", "hook", { ...hookConfig, callersTrusted: true });
  await open("older");
  await world.stack.sql(
    "update public.studio_published set marks_callers = false where workflow_id::text = any(string_to_array($1, ','))",
    [`${workflows["older"]},${workflows["older-hook"]}`],
  );
});
afterAll(() => world.stop());

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<string> {
  const request = { method: "POST", headers: { "content-type": "application/json", ...headers } };
  const answer = await fetch(`${world.stack.url}${path}`, { ...request, body: JSON.stringify(body) });
  return answer.text();
}
const withKey = () => ({ authorization: `Bearer ${key}` });

/** Every way in, with what its runs are called. A new one that is missing here fails below. */
const ways = {
  chat: {
    source: "chat",
    async send(slug: string, text: string) {
      const session: { token: string } = JSON.parse(await post(`/c-api/${slug}/session`, {}));
      const authorization = { origin: "null", authorization: `Bearer ${session.token}` };
      await post(`/c-api/${slug}/messages`, { text, key: randomUUID() }, authorization);
    },
  },
  api: { source: "api", send: (slug: string, text: string) => post(`/api/run/${slug}`, { message: text }, withKey()) },
  "chat completions": {
    source: "api",
    send: (slug: string, text: string) =>
      post("/v1/chat/completions", { model: slug, messages: [{ role: "user", content: text }] }, withKey()),
  },
  responses: {
    source: "api",
    send: (slug: string, text: string) => post("/v1/responses", { model: slug, input: text }, withKey()),
  },
  a2a: {
    source: "api",
    send: (slug: string, text: string) => {
      const message = { kind: "message", messageId: randomUUID(), role: "user", parts: [{ kind: "text", text }] };
      return post(`/a2a/${slug}`, { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } }, withKey());
    },
  },
  mcp: {
    source: "mcp",
    async send(slug: string, text: string) {
      const client = new Client({ name: "test", version: "1" });
      const requestInit = { headers: withKey() };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${world.stack.url}/mcp/${slug}`), { requestInit }),
      );
      await client.callTool({ name: slug, arguments: { message: text } }).finally(() => client.close());
    },
  },
  webhook: {
    source: "webhook",
    send: (slug: string, text: string) =>
      post(`/hooks/${slug}-hook`, { message: text }, { authorization: `Bearer ${secret}` }),
  },
} as const;
type Way = (typeof ways)[keyof typeof ways];
/** One way for each source: those that share one share its rule. */
const eachSource = Object.entries(ways).filter(([, way], index, all) => {
  return all.findIndex(([, other]) => other.source === way.source) === index;
});

/** What became of one order: whether a person was asked, whether it was sent, and what the model was told. */
async function result(id: string, order: string) {
  const row = await world.until(id, "waiting", "completed");
  const events = await world.events(id);
  const start = events.find((event): event is EventOf<"run-start"> & typeof event => event.type === "run-start");
  const told = events.flatMap((event) => (event.type === "tool-call-end" ? [event.text] : []));
  const asked = events.flatMap((event) => (event.type === "approval-wait" ? [event.untrusted] : []));
  if (row["status"] === "waiting") await world.user.client.rpc("studio_cancel_run", { p_run_id: id });
  const sent = world.servers.toolHits.some(({ run }) => run === order);
  return { callers: row["callers"], asked, sent, told, input: start?.untrusted };
}

const runOf = (order: string) =>
  world.eventually(async () => {
    const found = await world.stack.sql<{ id: string }>(
      "select id from public.studio_runs where input::text like '%' || $1 || '%' order by queued_at desc limit 1",
      [`run ${order} with`],
    );
    return found[0]?.id;
  });

/** Sends an order by one way in. */
async function come(way: Way, slug: string, { steps = 1 } = {}) {
  const order = `o${randomUUID().slice(0, 8)}`;
  const answering = way.send(slug, orderOf(order, steps));
  const id = await Promise.race([runOf(order), answering.then(() => runOf(order))]);
  const found = await result(id, order);
  await answering;
  return { id, ...found };
}

/** The owner's own run. */
async function own(slug: string, from?: string) {
  const order = `o${randomUUID().slice(0, 8)}`;
  const input = { message: orderOf(order, 1) };
  const { data, error } = await world.user.client.rpc("studio_start_run", {
    p_workflow: slug,
    p_target: "live",
    p_input: input,
    ...(from === undefined ? {} : { p_forked_from: { runId: from } }),
  });
  if (error) throw new Error(error.message);
  return result((data as { id: string }).id, order);
}

const clear = (slug: string) =>
  world.stack.sql("delete from public.studio_agent_memory where workflow_id = $1", [workflows[slug]]);

describe("S90 whose words a run's input holds", () => {
  test("every source that the database takes says it, and every door has a setting for it", async () => {
    const constraint = async (name: string) => {
      const [found] = await world.stack.sql<{ text: string }>(
        "select pg_get_constraintdef(oid) as text from pg_constraint where conname = $1",
        [name],
      );
      return [...(found?.text ?? "").matchAll(/'(\w+)'/g)].map(([, value]) => value).toSorted();
    };
    expect(await constraint("studio_runs_source_check")).toEqual(runSourceNames.toSorted());
    expect(await constraint("studio_doors_kind_check")).toEqual(doorKinds.toSorted());
    for (const kind of doorKinds) expect(doorConfigs[kind].parse({})).toMatchObject({ callersTrusted: false });
    const doors = runSourceNames.filter((source) => runSources[source].words === "callers");
    expect([...new Set(Object.values(ways).map(({ source }) => source))].toSorted()).toEqual(doors.toSorted());
  });

  test("each source is known to the rule of the database", async () => {
    for (const source of runSourceNames) {
      const asked = world.stack.sql(
        "select private.studio_callers_of(jsonb_populate_record(null::public.studio_runs, jsonb_build_object('source', $1::text)))",
        [source],
      );
      await expect(asked).resolves.toHaveLength(1);
    }
    await expect(
      world.stack.sql(
        'select private.studio_callers_of(jsonb_populate_record(null::public.studio_runs, \'{"source":"pigeon"}\'))',
      ),
    ).rejects.toThrow("source_without_trust");
  });

  test.each(Object.entries(ways))("a caller by %s counts as a stranger", async (name, way) => {
    const { callers, asked, sent, input, told } = await come(way, "open");
    expect({ callers, sent }).toEqual({ callers: "untrusted", sent: false });
    expect(input).toEqual([runSources[way.source].from]);
    expect(asked).toEqual([expect.arrayContaining([runSources[way.source].from])]);
    // S78: an MCP client waits for an answer now, so nobody is asked.
    if (name === "mcp") expect(told).toEqual([expect.stringContaining("Nobody can be asked here.")]);
  });

  test.each(eachSource)("not where the owner trusts the callers: %s", async (_name, way) => {
    await clear("trusted");
    await clear("trusted-hook");
    expect(await come(way, "trusted")).toMatchObject({ callers: "trusted", asked: [], sent: true, input: undefined });
  });

  test.each(eachSource)("a version from before does what it did: %s", async (name, way) => {
    await clear("older");
    await clear("older-hook");
    const { callers, asked, sent } = await come(way, "older");
    // The chat page changes at once. A webhook trigger has always marked what it gives.
    const asks = name === "chat" || name === "webhook";
    expect({ callers, sent, asked: asked.length > 0 }).toEqual({
      callers: name === "chat" ? "untrusted" : null,
      sent: !asks,
      asked: asks,
    });
  });

  test("the owner can apply it to a version from before, of their own workflows only", async () => {
    const mark = (version: number) =>
      world.user.client.rpc("studio_mark_callers", { p_workflow_id: workflows["older"], p_version: version });
    expect((await mark(7)).error?.message).toContain("version_not_found");
    expect((await mark(1)).error).toBeNull();
    await clear("older");
    expect(await come(ways.api, "older")).toMatchObject({ callers: "untrusted", sent: false });
  });

  test("the owner's own run asks nobody, until it reads what a visitor left in a shared memory", async () => {
    await clear("open");
    expect(await own("open")).toMatchObject({ callers: null, asked: [], sent: true });
    await clear("open");
    expect(await come(ways.chat, "open", { steps: 0 })).toMatchObject({ asked: [] });
    expect(await own("open")).toMatchObject({
      callers: null,
      asked: [["an earlier part of this conversation"]],
      sent: false,
    });
  });

  test("a run that goes on with a caller's run is a caller's, too", async () => {
    const { id } = await come(ways.api, "open", { steps: 0 });
    await clear("open");
    expect(await own("open", id)).toMatchObject({ callers: "untrusted", sent: false });
  });

  test("the workflow that is told of a caller's failed run gets a stranger's words", async () => {
    const failing = async (slug: string, way: Way) => {
      const order = `o${randomUUID().slice(0, 8)}`;
      world.servers.refused.add(`${order}/0`);
      await way.send(slug, orderOf(order, 1));
      const id = await runOf(order);
      const told = await world.eventually(async () => {
        const found = await world.stack.sql<{ callers: string | null }>(
          "select callers from public.studio_runs where source = 'failure' and input #>> '{value,run,id}' = $1",
          [id],
        );
        return found[0];
      });
      return told.callers;
    };
    for (const slug of ["open", "trusted"]) {
      await clear(slug);
      const target = { workflowId: workflows["older-hook"] };
      const set = { p_workflow_id: workflows[slug], p_limits: {}, p_on_failure: target };
      await world.user.client.rpc("studio_set_publication", set);
    }
    await world.user.client.rpc("studio_mark_callers", { p_workflow_id: workflows["older-hook"], p_version: 1 });
    expect(await failing("open", ways.api)).toBe("untrusted");
    expect(await failing("trusted", ways.api)).toBeNull();
  });
});

describe("S100 what a caller's order asks the owner", () => {
  /** A caller's order to the live version, as far as its run goes by itself. */
  async function ordered(slug: string, to: string) {
    const body = JSON.stringify({ message: orderOf(to, 1) });
    const headers = { ...withKey(), "content-type": "application/json", prefer: "respond-async" };
    const answer = await fetch(`${world.stack.url}/api/run/${slug}`, { method: "POST", headers, body });
    const { id } = z.object({ id: z.string() }).parse(await answer.json());
    const { status } = await world.until(id, "waiting", "completed");
    const events = await world.events(id);
    const [call] = events.flatMap((event) => (event.type === "tool-call-start" ? [event] : []));
    return { id, status, call, sent: world.servers.toolHits.filter(({ run }) => run === to).length };
  }

  /** An agent that knows of step 0 and that sends after a question. */
  function agentNamed(name: string): WorkflowDocument {
    const document = world.stepAgent({ approval: "ask-after-untrusted", name });
    const { agent } = document.nodes;
    if (agent) agent.config = { ...agent.config, systemPrompt: "Begin with step 0." };
    return document;
  }

  test("is not asked again for a value that the owner has allowed for good, until it is revoked", async () => {
    const { client } = world.user;
    const to = "bob@acme.example";
    workflows["remembers"] = await world.publish(agentNamed("remembers"));
    await saveDoor("remembers", "api");
    const { id, status, sent } = await ordered("remembers", to);
    expect({ status, sent }).toEqual({ status: "waiting", sent: 0 });
    const wait = await client.from("studio_run_waits").select("question").eq("run_id", id).single();
    const { allowable } = z.object({ allowable: allowableSchema }).parse(wait.data?.question);
    expect(allowable).toMatchObject({ workflowId: workflows["remembers"], isAll: true });
    const values = createAllowedValues({ database: client });
    await values.answer(allowable.workflowId, allowable.values, "allowed");
    await world.decideAll({ approved: true });
    await world.until(id, "completed");

    expect(await ordered("remembers", to)).toMatchObject({
      status: "completed",
      call: { allowed: [{ path: ["run"], value: to }] },
      sent: 2,
    });
    expect(await ordered("remembers", "bob@acme.example.evil.example")).toMatchObject({ status: "waiting", sent: 0 });

    const [kept] = await values.list();
    await values.remove(kept?.id ?? "");
    expect(await ordered("remembers", to)).toMatchObject({ status: "waiting", sent: 2 });
  });

  test("is nothing where the published version lets callers fill it in", async () => {
    const document = agentNamed("callers-fill");
    const { tool } = document.nodes;
    const opened = await openTools(document, "tool", {
      registry: nodeRegistry,
      host: testHost(),
      signal: new AbortController().signal,
    });
    const [step] = opened.ok ? opened.opened.tools : [];
    if (!tool || !step) throw new Error("The agent of the test has changed.");
    const callers = callerTerms([{ tool: step, arguments: ["run"] }]);
    workflows["callers-fill"] = await world.publish({
      ...document,
      nodes: { ...document.nodes, tool: { ...tool, ...(callers ? { callers } : {}) } },
    });
    await saveDoor("callers-fill", "api");
    expect(await ordered("callers-fill", "ann@home.example")).toMatchObject({
      status: "completed",
      call: { origins: expect.arrayContaining([{ path: ["run"], origin: "caller" }]) },
      sent: 1,
    });
  });
});
