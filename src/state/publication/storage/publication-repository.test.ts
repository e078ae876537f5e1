import { createHash, randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { newDocument, newNode } from "../../../engine/document/new-document.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { bundleWorkflow } from "../../../engine/publish/bundle.ts";
import { nodeRegistry as registry } from "../../../nodes/index.ts";
import { createWorkflowLoader } from "../../document/workflow-loader.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createPublicationRepository } from "./publication-repository.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../../document/storage/workflow-repository.ts";

let stack: SharedStack;
let alice: Awaited<ReturnType<typeof newUser>>;

async function newUser() {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  return { workflows: createWorkflowRepository(client), publications: createPublicationRepository(client) };
}

beforeAll(async () => {
  stack = await sharedTestStack();
  alice = await newUser();
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function flow(text: string, id: string = randomUUID()): WorkflowDocument {
  const document = newDocument(id, `Flow ${text}`);
  const { "manual-trigger": definition } = registry;
  if (definition === undefined) throw new Error("There is no manual trigger.");
  document.nodes["start"] = newNode(definition, { id: "start", position: { x: 0, y: 0 }, config: { input: { text } } });
  return document;
}

async function publish(document: WorkflowDocument, slug: string, note = "", by = alice) {
  const made = await bundleWorkflow(document, { registry, workflows: createWorkflowLoader(by.workflows), sha256 });
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  return by.publications.publish({ bundle: made.bundle, slug, note, revision: 1, target: "live" });
}

it("publishes versions, lists them page by page, opens each, and moves the names between them", async () => {
  const { id } = await alice.workflows.create(flow("one"));
  const { publications } = alice;
  expect(await publications.find(id)).toBeUndefined();
  expect(await publish(flow("one", id), "my-flow", "The first")).toEqual({
    version: 1,
    slug: "my-flow",
    unchanged: false,
  });
  expect(await publish(flow("one", id), "my-flow")).toMatchObject({ version: 1, unchanged: true });
  expect(await publish(flow("two", id), "my-other-flow")).toMatchObject({ version: 2, slug: "my-other-flow" });
  expect(await publications.find(id)).toEqual({
    workflowId: id,
    slug: "my-other-flow",
    live: 2,
    staging: null,
    limits: {},
    notice: null,
    uncounted: [],
  });

  const first = await publications.versions(id, { limit: 1 });
  expect(first).toMatchObject({ rows: [{ version: 2, note: "" }], next: 2 });
  const second = await publications.versions(id, { limit: 1, after: first.next });
  expect(second).toMatchObject({ rows: [{ version: 1, note: "The first" }], next: null });
  expect((await publications.document(id, 1)).nodes["start"]?.config).toEqual({ input: { text: "one" } });

  await publications.point(id, "live", 1);
  await publications.point(id, "staging", 2);
  expect(await publications.find(id)).toMatchObject({ live: 1, staging: 2 });
  await publications.point(id, "live", null);
  expect(await publications.find(id)).toMatchObject({ live: null, staging: 2 });

  await stack.sql("update public.studio_published set marks_callers = false where workflow_id = $1", [id]);
  const unmarked = async () => (await publications.unmarkedLive()).filter(({ workflowId }) => workflowId === id);
  expect(await unmarked()).toEqual([]);
  await publications.point(id, "live", 1);
  expect(await unmarked()).toEqual([{ workflowId: id, slug: "my-other-flow", version: 1 }]);
  await publications.markCallers(id, 1);
  expect(await unmarked()).toEqual([]);
  expect((await publications.versions(id, { limit: 9 })).rows.map(({ marksCallers }) => marksCallers)).toEqual([
    false,
    true,
  ]);
  await publications.point(id, "live", null);

  await publications.setLimits(id, { concurrent: 3, dayUsd: 0.5 });
  expect(await publications.find(id)).toMatchObject({ limits: { concurrent: 3, dayUsd: 0.5 } });
});

it("says how workflows that are live are reached, and nothing of others", async () => {
  const { publications, workflows } = alice;
  const [{ id }, draft] = [await workflows.create(flow("live")), await workflows.create(flow("draft"))];
  await publish(flow("live", id), "reached");
  expect(await publications.liveWays([id, draft.id])).toEqual({ [id]: ["api"] });
  const door = (kind: string, enabled: boolean) =>
    stack.sql(
      "insert into public.studio_doors (workflow_id, owner, kind, enabled) select id, owner, $2, $3 from public.studio_workflows where id = $1",
      [id, kind, enabled],
    );
  await door("api", false);
  await door("chat", true);
  await door("mcp", false);
  expect(await publications.liveWays([id])).toEqual({ [id]: ["chat"] });
  expect(await publications.liveWays([draft.id])).toEqual({});
  const other = await newUser();
  expect(await other.publications.liveWays([id])).toEqual({});
  await publications.point(id, "live", null);
  expect(await publications.liveWays([id])).toEqual({});
});

it("says how each of many workflows is reached, beyond what one request asks for", async () => {
  const { publications, workflows } = alice;
  const { id } = await workflows.create(flow("many"));
  await publish(flow("many", id), "many");
  const ids = Array.from({ length: 210 }, () => randomUUID());
  const copies = (table: string, columns: string, values: string) =>
    stack.sql(
      `insert into public.${table} (${columns}) select ${values} from unnest($2::uuid[]) each (copy), public.studio_publications where workflow_id = $1`,
      [id, ids],
    );
  await copies("studio_workflows", "id, owner, name", "copy, owner, 'Copy'");
  await copies("studio_publications", "workflow_id, owner, slug, live", "copy, owner, copy::text, 1");
  await copies("studio_doors", "workflow_id, owner, kind, enabled", "copy, owner, 'api', false");
  await copies("studio_doors", "workflow_id, owner, kind, enabled", "copy, owner, 'chat', true");
  const found = await publications.liveWays([id, ...ids]);
  expect(found).toEqual({ [id]: ["api"], ...Object.fromEntries(ids.map((copy) => [copy, ["chat"]])) });
});

it("lists the schedules of the live version with how the last run of each went, and no run of another account", async () => {
  const document = flow("scheduled");
  const { "schedule-trigger": definition } = registry;
  if (definition === undefined) throw new Error("There is no schedule trigger.");
  for (const id of ["later", "never"]) {
    document.nodes[id] = newNode(definition, { id, position: { x: 0, y: 0 }, config: { cron: "0 8 * * *" } });
  }
  const { id } = await alice.workflows.create(document);
  await publish(document, "scheduled");
  const list = () => alice.publications.schedules(id);
  const [later, never] = await list();
  expect(never).toMatchObject({ nodeId: "never", lastAt: null, skippedAt: null, lastRun: null });

  const fire = (slot: string | null) =>
    stack.sql<{ run: string }>("select private.studio_fire_trigger($1, $2, now() + interval '1 day', null) as run", [
      later?.id,
      slot,
    ]);
  const [first] = await fire("2026-03-28T07:00:00Z");
  await stack.sql(
    "update public.studio_runs set started_at = now() - interval '1 day', status = 'completed' where id = $1",
    [first?.run],
  );
  const [second] = await fire("2026-03-29T07:00:00Z");
  expect(await list()).toMatchObject([
    { nodeId: "later", lastRun: { id: second?.run, status: "queued", ending: null, error: null } },
    { nodeId: "never", lastRun: null },
  ]);
  const error = { code: "internal", message: "It broke.", hint: "", retryable: false };
  await stack.sql("update public.studio_runs set status = 'failed', error = $2 where id = $1", [second?.run, error]);
  expect((await list())[0]?.lastRun).toMatchObject({ status: "failed", error: "It broke." });

  // A time that is left out starts no run, and the last one stays.
  await stack.sql("update public.studio_triggers set next_at = '2026-03-30T07:00:00Z' where id = $1", [later?.id]);
  await fire(null);
  const [skipped] = await list();
  expect(Date.parse(skipped?.skippedAt ?? "")).toBe(Date.parse("2026-03-30T07:00:00Z"));
  expect(skipped?.lastRun).toMatchObject({ id: second?.run });

  await stack.sql("delete from public.studio_runs where id = any ($1)", [[first?.run, second?.run]]);
  expect((await list())[0]).toMatchObject({ lastRun: null, lastAt: expect.stringContaining("2026-03-29") });
  expect(await (await newUser()).publications.schedules(id)).toEqual([]);
});

it("proposes an address that no workflow of the studio has", async () => {
  const bob = await newUser();
  expect(await bob.publications.freeSlug("asked-first")).toBe("asked-first");
  const { id } = await alice.workflows.create(flow("asked"));
  await publish(flow("asked", id), "asked-first");
  expect(await bob.publications.freeSlug("asked-first")).toBe("asked-first-2");
  const long = "a".repeat(60);
  const { id: second } = await alice.workflows.create(flow("long"));
  await publish(flow("long", second), long);
  expect(await bob.publications.freeSlug(long)).toBe(`${"a".repeat(58)}-2`);
  await expect(bob.publications.freeSlug("Not an address")).rejects.toThrow(/free address/);
});

it("says that an address belongs to another workflow, whoever's it is", async () => {
  const mine = await alice.workflows.create(flow("mine"));
  await publish(flow("mine", mine.id), "taken-name");
  const bob = await newUser();
  const theirs = await bob.workflows.create(flow("theirs"));
  await expect(publish(flow("theirs", theirs.id), "taken-name", "", bob)).rejects.toMatchObject({
    kind: "conflict",
    message: 'The address "taken-name" belongs to another workflow.',
  });
  expect(await bob.publications.find(mine.id)).toBeUndefined();
  await expect(bob.publications.document(mine.id, 1)).rejects.toMatchObject({ kind: "not-found" });
});

it("names who is told of failures, beside the limits", async () => {
  const { id } = await alice.workflows.create(flow("told"));
  await publish(flow("told", id), "told");
  const { publications } = alice;
  expect(await publications.failureTarget(id)).toEqual({ workflowId: null, url: null, problem: null });
  await publications.setLimits(id, { perMinute: 3 });
  const target = { workflowId: randomUUID(), url: "https://ops.example.com/hook" };
  await publications.setFailureTarget(id, target);
  await publications.setFailureSecret(id, "test-key-signing");
  await publications.setLimits(id, { perMinute: 4 });
  expect(await publications.failureTarget(id)).toEqual({ ...target, problem: null });
  await publications.setFailureTarget(id, { workflowId: null, url: null });
  expect(await publications.failureTarget(id)).toEqual({ workflowId: null, url: null, problem: null });
  expect(await publications.find(id)).toMatchObject({ limits: { perMinute: 4 } });
});
