import { EventEmitter, once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { makeApiKey } from "../supabase/functions/doors/testing/api-keys.ts";
import { callFunction } from "../supabase/functions/_shared/testing/call-function.ts";
import { signAccountToken } from "./account-tokens.ts";
import { orderOf } from "./testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "./testing/worker-world.ts";

let world: WorkerWorld;

beforeAll(async () => {
  world = await startWorkerWorld({ stepMs: 200 });
});
afterAll(() => world.stop());

/** More than are done before the worker hears that the account is gone. */
const steps = 40;

async function openDoor(workflow: string, kind: string, config: object): Promise<void> {
  const { error } = await world.user.client.rpc("studio_save_door", {
    p_workflow_id: workflow,
    p_kind: kind,
    p_enabled: true,
    p_config: config,
    p_secrets: null,
  });
  if (error) throw new Error(error.message);
}

it("S65 nothing of a deleted account answers, runs or starts any more, and what ran on a worker does nothing further", async () => {
  const { stack, user } = world;
  const workflow = await world.publish(world.stepAgent({ name: "leaves", memory: true }));
  await openDoor(workflow, "api", {});
  await openDoor(workflow, "chat", {});
  const hook = await world.publish(
    buildWorkflow({ id: crypto.randomUUID(), name: "hooked", nodes: { hook: ["webhook-trigger"] }, edges: [] }),
  );
  await openDoor(hook, "hook", { scheme: "none" });
  await world.publish(world.stepAgent({ name: "asks", approval: "ask" }));
  const { key } = await makeApiKey(user, ["run:*"]);
  const asKey = () =>
    fetch(`${stack.url}/api/run/leaves`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ message: orderOf("door", 0) }),
    }).then(({ status }) => status);
  const asHook = () => fetch(`${stack.url}/hooks/hooked`, { method: "POST", body: "{}" }).then(({ status }) => status);
  const asVisitor = () =>
    fetch(`${stack.url}/c-api/leaves/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    }).then(({ status }) => status);
  // A worker's own token, of no session.
  const token = await signAccountToken(user.userId, stack.jwtSecret);
  const asWorker = () => callFunction(stack, "credentials", token, {}).then(({ status }) => status);
  const answers = async () => ({
    key: await asKey(),
    hook: await asHook(),
    visitor: await asVisitor(),
    worker: await asWorker(),
  });
  // The worker's call names no action.
  expect(await answers()).toEqual({ key: 200, hook: 202, visitor: 201, worker: 400 });

  const waiting = await world.start("asks", { message: orderOf("w", 1) });
  await world.until(waiting, "waiting");
  const deleted = new EventEmitter();
  const deletion = once(deleted, "deleted").then(() => undefined);
  world.servers.onToolHit = ({ run }) => (run === "long" ? deletion : undefined);
  const running = await world.start("leaves", { message: orderOf("long", steps) });
  await world.eventually(() => world.servers.toolHits.find(({ run }) => run === "long"));

  expect((await user.client.rpc("studio_delete_my_account")).error).toBeNull();
  deleted.emit("deleted");
  expect(await answers()).toEqual({ key: 401, hook: 404, visitor: 404, worker: 401 });
  await expect.poll(() => stack.sql("select id from auth.users where id = $1", [user.userId])).toEqual([]);
  for (const id of [waiting, running]) expect(await world.row(id)).toEqual({});

  // A step takes a fifth of a second.
  let seen = -1;
  const isStill = () => {
    const before = seen;
    seen = world.servers.toolHits.filter(({ run }) => run === "long").length;
    return seen === before;
  };
  await expect.poll(isStill, { interval: 1_000 }).toBe(true);
  expect(seen).toBeLessThan(steps);
  expect(await stack.sql("select id from public.studio_runs where owner = $1", [user.userId])).toEqual([]);
});
