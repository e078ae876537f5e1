import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { callFunction } from "../supabase/functions/_shared/testing/call-function.ts";
import { signUp } from "../supabase/local/testing/clients.ts";
import { startWorkerWorld, type WorkerWorld } from "./testing/worker-world.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

let world: WorkerWorld;

beforeAll(async () => {
  world = await startWorkerWorld();
});
afterAll(() => world.stop());

const failing = () =>
  buildWorkflow({
    id: randomUUID(),
    name: `failing-${randomUUID().slice(0, 8)}`,
    nodes: { start: ["manual-trigger"], bad: ["code", { code: "throw new Error('No.')" }] },
    edges: ["start.main -> bad.main"],
  });

/** Publishes a workflow that fails and tells the address of it. */
async function publish(url: string, signed: string | null = secret) {
  const document = failing();
  const id = await world.publish(document);
  await world.user.client.rpc("studio_set_publication", { p_workflow_id: id, p_limits: {}, p_on_failure: { url } });
  await world.user.client.rpc("studio_set_failure_secret", { p_workflow_id: id, p_secret: signed });
  return { id, slug: document.name };
}

const noticesOf = (workflow: string) =>
  world.stack.sql<{ id: string; attempts: number; next_at: string | null; late: boolean }>(
    "select id, attempts, next_at, next_at > now() as late from private.studio_notices where workflow_id = $1",
    [workflow],
  );

async function problemOf(workflow: string): Promise<string | null> {
  const [row] = await world.stack.sql<{ on_failure_problem: string | null }>(
    "select on_failure_problem from public.studio_publications where workflow_id = $1",
    [workflow],
  );
  return row?.on_failure_problem ?? null;
}

/** Servers on this machine that are open to the way out answer with `status`. */
function tellTo(path: string) {
  return `http://${world.servers.api.host}/step?run=${path}&step=0`;
}

test("S74 a failed run is told once, signed as Standard Webhooks say", async () => {
  const { id, slug } = await publish(tellTo("told"));
  const run = await world.start(slug, {});
  await world.until(run, "failed");
  const seen = await world.eventually(() => world.servers.api.seen.find(({ url }) => url.includes("run=told")));
  const { headers, body } = seen;
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  expect(new Webhook(secret).verify(body, named)).toMatchObject({
    kind: "run-failed",
    run: { id: run, error: { code: "tool_error" } },
    workflow: { id, slug },
  });
  const [notice] = await world.eventually(async () => {
    const found = await noticesOf(id);
    return found[0]?.next_at === null ? found : undefined;
  });
  expect(notice).toMatchObject({ id: named["webhook-id"], attempts: 1 });
  expect(await problemOf(id)).toBeNull();
  expect(body).not.toContain(secret);
});

test("a webhook that cannot be reached is tried again later, and the publication says so until it is", async () => {
  // Port 9 of this machine is not open to requests.
  const { id, slug } = await publish("http://127.0.0.1:9/told");
  await world.until(await world.start(slug, {}), "failed");
  const problem = await world.eventually(async () => (await problemOf(id)) ?? undefined);
  expect(problem).toContain("is tried again");
  const [waiting] = await noticesOf(id);
  expect(waiting).toMatchObject({ attempts: 1, late: true });
  await world.stack.sql("update private.studio_notices set attempts = 6, next_at = now() where workflow_id = $1", [id]);
  await world.eventually(async () => ((await noticesOf(id))[0]?.next_at === null ? true : undefined));
  expect(await problemOf(id)).toMatch(/could not be reached: /);
  await world.stack.sql(
    "update private.studio_notices set attempts = 1, next_at = now(), url = $2 where workflow_id = $1",
    [id, tellTo("later")],
  );
  await world.eventually(async () => ((await problemOf(id)) === null ? true : undefined));
});

test("a secret that cannot be opened is said to be so, and nothing is sent", async () => {
  const { id, slug } = await publish(tellTo("closed"), "sealed.99.AAAA.AAAA");
  await world.until(await world.start(slug, {}), "failed");
  expect(await world.eventually(async () => (await problemOf(id)) ?? undefined)).toContain("cannot be opened");
  expect(world.servers.api.seen.some(({ url }) => url.includes("run=closed"))).toBe(false);
});

test("without a secret nothing is sent, and another account can neither send nor change", async () => {
  const { id, slug } = await publish(tellTo("unsigned"), null);
  await world.until(await world.start(slug, {}), "failed");
  expect(await world.eventually(async () => (await problemOf(id)) ?? undefined)).toContain("no signing secret");
  expect(world.servers.api.seen.some(({ url }) => url.includes("run=unsigned"))).toBe(false);
  const other = await signUp(world.stack);
  const [notice] = await noticesOf(id);
  const answer = await callFunction(world.stack, "send-notice", other.accessToken, { notice: notice?.id });
  expect(answer).toMatchObject({ status: 200, json: { sent: false } });
  const stolen = await other.client.rpc("studio_set_failure_secret", { p_workflow_id: id, p_secret: secret });
  expect(stolen.error?.message).toContain("not_published");
  const read = await world.user.client.rpc("studio_read_notice", { p_id: notice?.id, p_owner: world.user.userId });
  expect(read.error?.code).toBe("42501");
});
