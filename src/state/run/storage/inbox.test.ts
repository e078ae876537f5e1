import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestStack, type TestStack } from "../../../../supabase/local/testing/start-stack.ts";
import { newDocument, newNode } from "../../../engine/document/new-document.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { bundleWorkflow } from "../../../engine/publish/bundle.ts";
import { nodeRegistry as registry } from "../../../nodes/index.ts";
import { sha256 } from "../../shared/sha256.ts";
import { createWorkflowLoader } from "../../document/workflow-loader.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createInbox } from "./inbox.ts";
import { createPublicationRepository } from "../../publication/storage/publication-repository.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../../document/storage/workflow-repository.ts";

let stack: TestStack;
let alice: Awaited<ReturnType<typeof newUser>>;
let workflowId: string;

async function newUser() {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  return { client, inbox: createInbox(client) };
}

/** Publishes a workflow whose runs wait as if a worker had asked. */
async function publish(name: string): Promise<string> {
  const { client } = alice;
  const workflows = createWorkflowRepository(client);
  const document = newDocument(randomUUID(), name);
  const { "manual-trigger": trigger } = registry;
  if (trigger === undefined) throw new Error("There is no manual trigger.");
  document.nodes["start"] = newNode(trigger, { id: "start", position: { x: 0, y: 0 } });
  await workflows.create(document);
  const made = await bundleWorkflow(document, { registry, workflows: createWorkflowLoader(workflows), sha256 });
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  const publications = createPublicationRepository(client);
  await publications.publish({ bundle: made.bundle, slug: "asks", note: "", revision: 1, target: "live" });
  return document.id;
}

/** Starts a run, takes it up as a worker does, and asks. Gives what names the question. */
async function ask(
  input: JsonObject,
  more: JsonObject = {},
  kind = "approval",
): Promise<{ runId: string; callId: string }> {
  const start = { p_workflow: "asks", p_target: "live", p_input: {} };
  const { error } = await alice.client.database.rpc("studio_start_run", start);
  if (error) throw new Error(error.message);
  const [claimed] = await stack.sql<{ id: string; attempt: number }>(
    "select id, attempt from private.studio_next_run('worker-1', 60000)",
  );
  const runId = claimed?.id ?? "";
  await stack.sql("select private.studio_ask($1, $2, 'call-1', $4, $3::text::jsonb, now() + interval '7 days')", [
    runId,
    claimed?.attempt,
    JSON.stringify({ nodeId: "agent", toolNodeId: "tool", callId: "call-1", toolName: "send", input, ...more }),
    kind,
  ]);
  return { runId, callId: "call-1" };
}

beforeAll(async () => {
  stack = await startTestStack();
  alice = await newUser();
  workflowId = await publish("Asks first");
});
afterAll(() => stack.stop());

it("lists what waits with the workflow's name, the oldest first, says how much there is, and takes a decision once", async () => {
  expect(await alice.inbox.list(10)).toEqual({ questions: [], total: 0 });
  const first = await ask({ to: "a" }, { preview: { wouldSendTo: "a" }, untrusted: ["https://example.com"] });
  const second = await ask({ to: "b" });
  const { questions, total } = await alice.inbox.list(1);
  expect(total).toBe(2);
  expect(questions).toEqual([
    {
      ...first,
      workflowId,
      workflowName: "Asks first",
      question: {
        toolName: "send",
        input: { to: "a" },
        parameters: {},
        preview: { wouldSendTo: "a" },
        untrusted: ["https://example.com"],
      },
      askedAt: expect.any(String),
      expiresAt: expect.any(String),
    },
  ]);
  expect((await alice.inbox.list(10)).questions.map(({ runId }) => runId)).toEqual([first.runId, second.runId]);
  expect(await alice.inbox.count()).toBe(2);

  expect(await alice.inbox.decide(first, { approved: true, input: { to: "c" } })).toBe("decided");
  expect(await alice.inbox.decide(first, { approved: false, reason: "No." })).toBe("decided-elsewhere");
  expect(await alice.inbox.decide(second, { approved: false, reason: "No." })).toBe("decided");
  expect(await alice.inbox.count()).toBe(0);
  const rows = await stack.sql("select decision from public.studio_run_waits order by asked_at");
  expect(rows).toEqual([
    { decision: { approved: true, input: { to: "c" } } },
    { decision: { approved: false, reason: "No." } },
  ]);
});

it("lists the form that a tool asks with its question and fields", async () => {
  const schema = { type: "object", properties: { size: { type: "string" } } };
  const form = { message: "Which one?", schema, confirms: true };
  const asked = await ask({}, { form }, "form");
  expect((await alice.inbox.list(10)).questions).toMatchObject([{ ...asked, question: { form } }]);
  expect(await alice.inbox.decide(asked, { approved: true, input: { size: "s" } })).toBe("decided");
  expect(await alice.inbox.count()).toBe(0);
});

it("leaves out what can no longer be decided, and says why a decision came too late", async () => {
  const late = await ask({ to: "late" });
  await stack.sql("update public.studio_run_waits set expires_at = now() where run_id = $1", [late.runId]);
  const ended = await ask({ to: "ended" });
  await stack.sql("update public.studio_runs set status = 'cancelled', lease_until = null where id = $1", [
    ended.runId,
  ]);
  const stopping = await ask({ to: "stopping" });
  await stack.sql("update public.studio_runs set cancel_requested_at = now() where id = $1", [stopping.runId]);
  expect(await alice.inbox.list(10)).toEqual({ questions: [], total: 0 });
  expect(await alice.inbox.decide(stopping, { approved: true })).toBe("over");
  expect(await alice.inbox.decide(late, { approved: true })).toBe("expired");
  expect(await alice.inbox.decide(ended, { approved: true })).toBe("over");
  expect(await alice.inbox.decide({ ...ended, callId: "gone" }, { approved: true })).toBe("over");
});

it("shows nobody else's questions, and lets nobody else decide", async () => {
  const mine = await ask({ to: "mine" });
  const bob = await newUser();
  expect(await bob.inbox.list(10)).toEqual({ questions: [], total: 0 });
  expect(await bob.inbox.decide(mine, { approved: true })).toBe("over");
  expect(await alice.inbox.count()).toBe(1);
});
