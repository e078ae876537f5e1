import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod/mini";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { toolPin } from "../src/nodes/tools/mcp/tool-pin.ts";
import { saveTestCredential } from "../supabase/functions/_shared/testing/call-function.ts";
import { sizeTool, startAskingServer } from "./testing/asking-mcp-server.ts";
import { orderOf } from "./testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "./testing/worker-world.ts";

let world: WorkerWorld;

beforeAll(async () => {
  world = await startWorkerWorld();
});
afterAll(() => world.stop());

async function openWait(id: string): Promise<string> {
  const [wait] = await world.stack.sql<{ call_id: string }>(
    "select call_id from studio_run_waits where run_id = $1 and decision is null",
    [id],
  );
  return wait?.call_id ?? "";
}

it("S82 an approval holds no worker, outlives the studio, and the call is made once with what was decided", async () => {
  await world.publish(world.stepAgent({ name: "asks", approval: "ask" }));
  const id = await world.start("asks", { message: orderOf("w", 1) });
  const row = await world.until(id, "waiting");
  expect(row).toMatchObject({ worker: null, lease_until: null });
  expect(world.servers.toolHits).toEqual([]);
  await world.restart();
  const { client } = world.user;
  const waits = await client.from("studio_run_waits").select("kind,question").eq("run_id", id);
  expect(waits.data).toMatchObject([{ kind: "approval", question: { toolName: "step", input: { run: "w" } } }]);
  const decision = { approved: true, input: { run: "w-edited", step: "0" } };
  const decide = async () =>
    (await client.rpc("studio_decide_wait", { p_run_id: id, p_call_id: await openWait(id), p_decision: decision }))
      .data as unknown;
  expect(await decide()).toBe("decided");
  await world.until(id, "completed");
  expect(world.servers.toolHits.map(({ run }) => run)).toEqual(["w-edited"]);
  const events = await world.events(id);
  expect(events.filter(({ type }) => type === "approval-wait")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "approval-end")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "run-resume")).toHaveLength(1);
  // The question held the arguments as they were asked.
  expect((await client.from("studio_run_waits").select("call_id").eq("run_id", id)).data).toEqual([]);
  const late = { p_run_id: id, p_call_id: "any", p_decision: decision };
  expect((await client.rpc("studio_decide_wait", late)).data).toBe("over");
});

it("S82 a wait whose time is over goes on with a no", async () => {
  const id = await world.start("asks", { message: orderOf("late", 1) });
  await world.until(id, "waiting");
  await world.stack.sql("update studio_run_waits set expires_at = now() where run_id = $1", [id]);
  await world.until(id, "completed");
  expect(world.servers.toolHits.filter(({ run }) => run === "late")).toEqual([]);
  const events = await world.events(id);
  expect(events.find(({ type }) => type === "approval-end")).toMatchObject({
    approved: false,
    reason: "Nobody answered in time.",
  });
});

it("S82 an approval in the flow holds no worker, outlives the studio, and goes the way that was decided; no answer in time is a no", async () => {
  const document = buildWorkflow({
    id: crypto.randomUUID(),
    name: "releases",
    nodes: {
      chat: ["chat-trigger"],
      ask: ["approval", { message: "Release {{json.message}}?" }, "Release"],
      yes: ["set-fields", { fields: { did: "released" }, keepInput: true }],
      no: ["set-fields", { fields: { did: "kept" }, keepInput: true }],
    },
    edges: ["chat.main -> ask.main", "ask.approved -> yes.main", "ask.declined -> no.main"],
  });
  await world.publish(document);
  const [agreed, late] = [
    await world.start("releases", { message: "1.0" }),
    await world.start("releases", { message: "2.0" }),
  ];
  expect(await world.until(agreed, "waiting")).toMatchObject({ worker: null });
  await world.until(late, "waiting");
  await world.restart();
  const { client } = world.user;
  const waits = await client.from("studio_run_waits").select("kind,question").eq("run_id", agreed);
  expect(waits.data).toMatchObject([{ kind: "approval", question: { toolName: "Release", message: "Release 1.0?" } }]);
  const decision = { p_run_id: agreed, p_call_id: await openWait(agreed), p_decision: { approved: true } };
  expect((await client.rpc("studio_decide_wait", decision)).data).toBe("decided");
  await world.stack.sql("update studio_run_waits set expires_at = now() where run_id = $1", [late]);
  const ended = await Promise.all([agreed, late].map((id) => world.until(id, "completed")));
  expect(ended).toMatchObject([
    { output: { value: { did: "released", approval: { approved: true } } } },
    { output: { value: { did: "kept", approval: { approved: false, reason: "Nobody answered in time." } } } },
  ]);
});

it("S82 a form that an MCP server asks waits in the inbox, and the answer goes back to the call", async () => {
  const asks = await startAskingServer();
  const fields = { url: `http://${asks.host}/mcp` };
  const credential = await saveTestCredential(world.stack, world.user.accessToken, { type: "mcp", fields });
  const steps = world.stepAgent({ name: "sizes" });
  const document = buildWorkflow({
    id: crypto.randomUUID(),
    name: "sizes",
    nodes: {
      chat: ["chat-trigger"],
      agent: ["ai-agent", {}],
      model: ["openai-compatible-model", steps.nodes["model"]?.config ?? {}],
      shop: ["mcp-tool", { credential, serverName: "shop", pins: { size: toolPin(sizeTool) } }],
    },
    edges: ["chat.main -> agent.main", "model.model -> agent.model", "shop.tool -> agent.tools"],
  });
  await world.publish(document);
  const id = await world.start("sizes", { message: orderOf("w", 1, "shop__size") });
  const { client } = world.user;
  const wait = await world.eventually(async () => {
    const { data } = await client.rpc("studio_inbox", { p_limit: 10 });
    return z.object({ waits: z.array(z.object({ call_id: z.string(), question: z.json() })) }).parse(data).waits[0];
  });
  expect(wait.question).toMatchObject({
    toolName: "shop__size",
    form: { message: "Which size?" },
    input: { size: "s" },
  });
  const decision = { approved: true, input: { size: "l" } };
  const decide = { p_run_id: id, p_call_id: wait.call_id, p_decision: decision };
  expect((await client.rpc("studio_decide_wait", decide)).data).toBe("decided");
  await world.until(id, "completed");
  const events = await world.events(id);
  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({
    ok: true,
    text: JSON.stringify({ action: "accept", content: { size: "l" } }),
  });
  expect(events.filter(({ type }) => type === "form-end")).toMatchObject([{ action: "accept", input: { size: "l" } }]);
  await asks.stop();
});

it("S82 a wait of a day holds no worker, and the run goes on when it is over", async () => {
  const document = buildWorkflow({
    id: crypto.randomUUID(),
    name: "sleeper",
    nodes: { start: ["manual-trigger"], wait: ["wait", { mode: "for", amount: 1, unit: "days" }] },
    edges: ["start.main -> wait.main"],
  });
  await world.publish(document);
  const id = await world.start("sleeper", { order: 7 });
  expect(await world.until(id, "waiting")).toMatchObject({ worker: null, lease_until: null });
  const [wait] = await world.stack.sql<{ kind: string; hours: number }>(
    `select kind, extract(epoch from expires_at - asked_at)::float / 3600 as hours
     from studio_run_waits where run_id = $1`,
    [id],
  );
  expect(wait?.kind).toBe("time");
  expect(wait?.hours).toBeCloseTo(24, 1);
  const late = { p_run_id: id, p_call_id: await openWait(id), p_decision: { approved: true } };
  expect((await world.user.client.rpc("studio_decide_wait", late)).error?.message).toContain("wait_not_found");
  await world.restart();
  await world.stack.sql("update studio_run_waits set expires_at = now() where run_id = $1", [id]);
  expect(await world.until(id, "completed")).toMatchObject({ output: { value: { order: 7 } } });
  const types = (await world.events(id)).map(({ type }) => type);
  for (const type of ["wait-start", "wait-end", "run-resume"]) {
    expect(types.filter((each) => each === type)).toHaveLength(1);
  }
});

it("S84 a run keeps its version when another is published, the next takes the one that is live, and a cancelled one ends", async () => {
  const document = world.stepAgent({ name: "versions", approval: "ask", memory: true });
  await world.publish(document);
  const sessionId = "stopped while it waits";
  const first = await world.start("versions", { message: orderOf("v1", 1), sessionId });
  await world.until(first, "waiting");
  const changed = structuredClone(document);
  const tool = changed.nodes["tool"];
  if (tool) tool.config = { ...tool.config, approval: "never" };
  await world.publish(changed);
  const second = await world.start("versions", { message: orderOf("v2", 1) });
  expect(await world.until(second, "completed")).toMatchObject({ published_version: 2 });
  const { client } = world.user;
  await client.rpc("studio_point", { p_workflow_id: document.id, p_target: "live", p_version: 1 });
  const third = await world.start("versions", { message: orderOf("v3", 1) });
  expect(await world.until(third, "waiting")).toMatchObject({ published_version: 1 });
  for (const id of [first, third]) await client.rpc("studio_cancel_run", { p_run_id: id });
  expect(await world.until(first, "cancelled")).toMatchObject({ published_version: 1 });
  await world.until(third, "cancelled");
  expect((await world.events(first)).at(-1)).toMatchObject({ type: "run-end", outcome: "cancelled" });
  // S56: what was asked and answered until then is remembered as incomplete.
  const memory = client.from("studio_agent_memory").select("role,message").eq("session_id", sessionId).order("id");
  expect((await memory).data).toMatchObject([
    { role: "user", message: { origin: { runId: first } } },
    { role: "assistant" },
    { role: "tool", message: { ok: false } },
    { role: "assistant", message: { incomplete: "cancelled" } },
  ]);
  expect(world.servers.toolHits.some(({ run }) => run === "v1" || run === "v3")).toBe(false);
});

it("S84 a run that is cancelled in the middle stops within its next step", async () => {
  await world.publish(world.stepAgent({ name: "long" }));
  const id = await world.start("long", { message: orderOf("long", 45) });
  await world.eventually(async () => ((await world.events(id)).length > 10 ? true : undefined));
  await world.user.client.rpc("studio_cancel_run", { p_run_id: id });
  await world.until(id, "cancelled");
  expect(world.servers.toolHits.filter(({ run }) => run === "long").length).toBeLessThan(45);
});
