import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod/mini";
import { readSealed, secretPlaces } from "../../../src/engine/credentials/secret-places.ts";
import { buildWorkflow } from "../../../src/engine/testing/build-workflow.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../worker/testing/worker-world.ts";
import { openStored, sealUnsealed } from "./door-secrets.ts";
import { createFunctionContext } from "./endpoint.ts";
import { readEnvironment } from "./function-environment.ts";
import { callFunction } from "./testing/call-function.ts";

let world: WorkerWorld;

beforeAll(async () => {
  world = await startWorkerWorld();
});
afterAll(() => world.stop());

/** Publishes a workflow whose webhook takes a token. */
async function hook(secret: string) {
  const slug = `sealed-${randomUUID().slice(0, 8)}`;
  const workflow = await world.publish(
    buildWorkflow({ id: randomUUID(), name: slug, nodes: { hook: ["webhook-trigger"] }, edges: [] }),
  );
  const door = { p_workflow_id: workflow, p_kind: "hook", p_enabled: true, p_config: { scheme: "bearer" } };
  expect((await world.user.client.rpc("studio_save_door", door)).error).toBeNull();
  await renew(workflow, secret);
  return { slug, workflow };
}

async function renew(workflow: string, secret: string, keep = false) {
  const parameters = { p_workflow_id: workflow, p_secret: secret, p_keep_previous: keep };
  expect((await world.user.client.rpc("studio_renew_hook_secret", parameters)).error).toBeNull();
}

const call = async (slug: string, token: string) =>
  (
    await fetch(`${world.stack.url}/hooks/${slug}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: randomUUID(),
    })
  ).status;

async function stored(workflow: string): Promise<Record<string, string>> {
  const [row] = await world.stack.sql<{ secrets: Record<string, string> }>(
    "select secrets from private.studio_door_secrets where workflow_id = $1",
    [workflow],
  );
  return row?.secrets ?? {};
}

const isSealed = async (workflow: string) =>
  Object.values(await stored(workflow)).map((text) => readSealed(text) !== undefined);

test("S94 secrets that were stored unsealed are sealed when the functions start, and no request fails meanwhile", async () => {
  const [asked, unasked] = [await hook("test-key-asked"), await hook("test-key-unasked")];
  // The first call starts the function.
  expect(await call(asked.slug, "test-key-asked")).toBe(202);
  for (const { workflow } of [asked, unasked]) await expect.poll(() => isSealed(workflow)).toEqual([true]);
  for (const { slug } of [asked, unasked]) expect(await call(slug, "test-key-wrong")).toBe(401);
  expect([await call(asked.slug, "test-key-asked"), await call(unasked.slug, "test-key-unasked")]).toEqual([202, 202]);
});

test("S94 a secret that is stored past the functions is sealed with its first use, also while it is replaced", async () => {
  const { slug, workflow } = await hook("test-key-first");
  const statuses = await Promise.all([
    call(slug, "test-key-first"),
    renew(workflow, "test-key-second", true).then(() => call(slug, "test-key-second")),
    call(slug, "test-key-first"),
  ]);
  expect(statuses).toEqual([202, 202, 202]);
  await expect
    .poll(async () => {
      await call(slug, "test-key-first");
      return isSealed(workflow);
    })
    .toEqual([true, true]);
  expect([await call(slug, "test-key-first"), await call(slug, "test-key-second")]).toEqual([202, 202]);
});

test("S94 what the functions sealed is stored as it is, and opens for its owner, workflow and use alone", async () => {
  const [mine, other] = [await hook("test-key-before"), await hook("test-key-other")];
  const canary = "test-key-canary-0123456789";
  const place = secretPlaces.door("hook", "current");
  const request = { action: "seal", workflow: mine.workflow, secrets: { [place]: canary, "hook verify": canary } };
  const answer = await callFunction(world.stack, "credentials", world.user.accessToken, request);
  const { sealed } = z.object({ sealed: z.record(z.string(), z.string()) }).parse(answer.json);
  const text = sealed[place] ?? "";
  expect(text).not.toContain(canary);
  await renew(mine.workflow, text, true);
  expect([await call(mine.slug, canary), await call(mine.slug, "test-key-before")]).toEqual([202, 202]);
  const flipped = text.replace(/.(?=.{6}$)/, (sign) => (sign === "A" ? "B" : "A"));
  for (const [{ slug, workflow }, wrong] of [
    [other, text],
    [mine, sealed["hook verify"] ?? ""],
    [mine, flipped],
    [mine, text.replace(/^sealed\.\d+/, "sealed.99")],
  ] as const) {
    await renew(workflow, wrong);
    expect([await call(slug, canary), await call(slug, wrong)]).toEqual([401, 401]);
  }
  const short = { ...request, secrets: { [place]: "short" } };
  expect((await callFunction(world.stack, "credentials", world.user.accessToken, short)).status).toBe(400);
});

test("S94 secrets of notices and of collectors are sealed alike, and nothing without a key", async () => {
  const { workflow } = await hook("test-key-unused");
  const canary = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const notice = { p_workflow_id: workflow, p_secret: canary };
  expect((await world.user.client.rpc("studio_set_failure_secret", notice)).error).toBeNull();
  const url = "https://collector.example.com/v1/traces";
  const collector = { p_workflow_id: workflow, p_url: url, p_headers: { "X-Key": canary }, p_content: false };
  expect((await world.user.client.rpc("studio_save_collector", collector)).error).toBeNull();
  const read = async () => {
    const [row] = await world.stack.sql<{ secret: string; header: string }>(
      `select notices.secret, collectors.headers ->> 'X-Key' as header
       from private.studio_failure_secrets as notices join private.studio_collectors as collectors using (workflow_id)
       where workflow_id = $1`,
      [workflow],
    );
    return row ?? { secret: "", header: "" };
  };
  const variables = {
    SUPABASE_URL: world.stack.url,
    SUPABASE_ANON_KEY: world.stack.key,
    SUPABASE_SERVICE_ROLE_KEY: world.stack.serviceKey,
  };
  const contextWith = (more: Record<string, string>) =>
    createFunctionContext(readEnvironment({ ...variables, ...more }), () => undefined);
  for (const store of ["failures", "collectors"] as const) await sealUnsealed(contextWith({}), store);
  expect(await read()).toEqual({ secret: canary, header: canary });
  const elsewhere = {
    p_store: "collectors",
    p_workflow_id: workflow,
    p_name: "X-Key",
    p_unsealed: canary,
    p_sealed: "sealed",
  };
  await contextWith({}).supabase.callAsService("studio_seal_secret", {
    ...elsewhere,
    p_kind: "https://other.example.com",
  });
  expect(await read()).toEqual({ secret: canary, header: canary });
  const keys = JSON.stringify({ 3: Buffer.alloc(32, 7).toString("base64") });
  const context = contextWith({ CREDENTIALS_KEYS: keys, CREDENTIALS_KEY_VERSION: "3" });
  for (const store of ["failures", "collectors"] as const) await sealUnsealed(context, store);
  const { secret, header } = await read();
  expect([readSealed(secret)?.keyVersion, readSealed(header)?.keyVersion]).toEqual([3, 3]);
  const row = { owner: world.user.userId, workflowId: workflow };
  const places = { failures: secretPlaces.failures, header: secretPlaces.collector(url, "x-key") };
  const open = (place: string, text: string) =>
    openStored(context, { ...row, store: "collectors", name: "X-Key", place, text });
  expect([await open(places.failures, secret), await open(places.header, header)]).toEqual([canary, canary]);
  expect(await open(secretPlaces.collector("https://other.example.com", "x-key"), header)).toBeUndefined();
});
