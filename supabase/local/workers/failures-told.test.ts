import { afterAll, beforeAll, expect, it } from "vitest";
import { type SignedIn, signUp } from "../testing/clients.ts";
import { plant } from "../testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

let stack: TestStack;
let user: SignedIn;

beforeAll(async () => {
  stack = await startTestStack();
  user = await signUp(stack);
});
afterAll(() => stack.stop());

/** A published workflow of `user`; with `tell`, failures start that one. */
async function publish({ slug, tell, limits = {} }: { slug: string; tell?: string; limits?: object }): Promise<string> {
  const workflow = String((await plant(stack, "studio_workflows", user)).id);
  const { error } = await user.client.rpc("studio_publish", {
    p_workflow_id: workflow,
    p_document: { nodes: {} },
    p_workflows: {},
    p_hash: "0".repeat(64),
    p_schedules: [{ nodeId: "s", cron: "0 8 * * *", timeZone: "UTC", missed: "skip" }],
    p_slug: slug,
    p_note: "",
    p_revision: 1,
    p_target: "live",
  });
  if (error) throw new Error(error.message);
  const onFailure = tell === undefined ? null : { workflowId: tell };
  await user.client.rpc("studio_set_publication", {
    p_workflow_id: workflow,
    p_limits: limits,
    p_on_failure: onFailure,
  });
  return workflow;
}

async function start(slug: string): Promise<string> {
  const { data } = await user.client.rpc("studio_start_run", { p_workflow: slug, p_target: "live", p_input: {} });
  await stack.sql("select * from private.studio_next_run('one', 60000)");
  return String(data.id);
}

const fail = (id: string, attempt = 1) =>
  stack.sql("select private.studio_finish_run($1, $2, '[]', $3)", [
    id,
    attempt,
    JSON.stringify({ status: "failed", output: null, error: { code: "timeout", message: "Too slow." } }),
  ]);

const toldBy = (workflow: string) =>
  stack.sql<{ input: { value: Record<string, unknown> }; source: string }>(
    "select input, source from public.studio_runs where workflow_id = $1 order by queued_at",
    [workflow],
  );

it("starts the workflow for failures once, with what failed, and a failure of that one tells nobody", async () => {
  const teller = await publish({ slug: "teller" });
  const failing = await publish({ slug: "failing", tell: teller });
  await user.client.rpc("studio_set_publication", {
    p_workflow_id: teller,
    p_limits: {},
    p_on_failure: { workflowId: failing },
  });
  const id = await start("failing");
  await fail(id);
  const told = await toldBy(teller);
  expect(told).toMatchObject([
    {
      source: "failure",
      input: { value: { kind: "run-failed", message: "Too slow.", run: { id }, workflow: { slug: "failing" } } },
    },
  ]);
  const [claimed] = await stack.sql<{ id: string }>("select id from private.studio_next_run('two', 60000)");
  await fail(claimed?.id ?? "");
  expect(await toldBy(failing)).toHaveLength(1);
});

it("says at the publication that nobody could be told", async () => {
  const gone = String((await plant(stack, "studio_workflows", user)).id);
  const failing = await publish({ slug: "lonely", tell: gone });
  await fail(await start("lonely"));
  const { data } = await user.client
    .from("studio_publications")
    .select("on_failure_problem")
    .eq("workflow_id", failing);
  expect(data).toMatchObject([{ on_failure_problem: expect.stringContaining("no live version") }]);
});

it("tells that a schedule cannot go on, and that a cap is near", async () => {
  const teller = await publish({ slug: "teller-2" });
  const failing = await publish({ slug: "failing-2", tell: teller, limits: { dayUsd: 1 } });
  const id = await start("failing-2");
  for (const usd of [0.5, 0.85, 0.9]) {
    await stack.sql("select private.studio_append_run_events($1, 1, '[]', 60000, $2)", [id, usd]);
  }
  await stack.sql(
    `select private.studio_fire_trigger(id, null, null, 'There is no such day.') from public.studio_triggers
     where workflow_id = $1`,
    [failing],
  );
  const told = await toldBy(teller);
  expect(told.map(({ input }) => input.value["kind"])).toEqual(["cap-near", "trigger-stopped"]);
});

it("deletes what is kept no longer for everybody in turn, and spares what waits", async () => {
  const other = await signUp(stack);
  const workflow = String((await plant(stack, "studio_workflows", other)).id);
  const old = { workflow_id: workflow, source: "manual" };
  const ids: Record<string, string> = {};
  for (const status of ["completed", "queued", "waiting"]) {
    ids[status] = String((await plant(stack, "studio_runs", other, { ...old, status })).id);
  }
  await stack.sql("alter table public.studio_runs disable trigger studio_runs_touch");
  await stack.sql("update public.studio_runs set updated_at = now() - interval '100 days' where workflow_id = $1", [
    workflow,
  ]);
  await stack.sql("alter table public.studio_runs enable trigger studio_runs_touch");
  const trashed = String((await plant(stack, "studio_workflows", other)).id);
  await stack.sql("update public.studio_workflows set deleted_at = now() - interval '31 days' where id = $1", [
    trashed,
  ]);
  const due = () => stack.sql<{ owner: string }>("select owner from private.studio_due_owners('retention', null, 100)");
  const turns = (await due()).map(({ owner }) => owner);
  expect(turns).toContain(other.userId);
  for (const owner of turns) {
    expect(await stack.sql("select private.studio_prune_owner($1) as left", [owner])).toEqual([{ left: false }]);
  }
  expect(await due()).toEqual([]);
  const left = await stack.sql<{ status: string }>("select status from public.studio_runs where workflow_id = $1", [
    workflow,
  ]);
  expect(left.map(({ status }) => status).toSorted()).toEqual(["queued", "waiting"]);
  expect(await stack.sql("select id from public.studio_workflows where id = $1", [trashed])).toEqual([]);
});
