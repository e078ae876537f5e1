import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestStack, type TestStack } from "../../../../supabase/local/testing/start-stack.ts";
import { newDocument, newNode } from "../../../engine/document/new-document.ts";
import { bundleWorkflow } from "../../../engine/publish/bundle.ts";
import { nodeRegistry as registry } from "../../../nodes/index.ts";
import { sha256 } from "../../shared/sha256.ts";
import { createWorkflowLoader } from "../../document/workflow-loader.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createPublicationRepository } from "../../publication/storage/publication-repository.ts";
import { createRunRepository } from "./run-repository.ts";
import { createServerRuns } from "./server-runs.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../../document/storage/workflow-repository.ts";

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.stop());

it("starts, follows, cancels and retries runs of a published workflow, and says when nothing is published", async () => {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  const workflows = createWorkflowRepository(client);
  const runs = createRunRepository(client);
  const serverRuns = createServerRuns(client);

  const document = newDocument(randomUUID(), "Published");
  const { "manual-trigger": trigger } = registry;
  if (trigger === undefined) throw new Error("There is no manual trigger.");
  document.nodes["start"] = newNode(trigger, { id: "start", position: { x: 0, y: 0 } });
  const { id: workflowId } = await workflows.create(document);
  const request = { workflowId, target: "live", input: { message: "Hi" }, key: "first" };
  await expect(serverRuns.start(request)).rejects.toMatchObject({
    kind: "not-found",
    message: "This workflow is not published.",
  });

  const made = await bundleWorkflow(document, { registry, workflows: createWorkflowLoader(workflows), sha256 });
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  const publications = createPublicationRepository(client);
  await publications.publish({ bundle: made.bundle, slug: "followed", note: "", revision: 1, target: "live" });
  await expect(serverRuns.start({ ...request, target: "staging" })).rejects.toMatchObject({
    message: "No version of this workflow is in staging.",
  });

  const { id, status } = await serverRuns.start(request);
  expect(status).toBe("queued");
  expect((await serverRuns.start(request)).id).toBe(id);
  expect(await serverRuns.queue()).toEqual({ workers: 0, queued: 1, running: 0, waiting: 0 });

  const log = async (from: number, to: number) =>
    stack.sql(
      `insert into public.studio_run_events (run_id, run_added_at, owner, seq, at, type, event)
       select run.id, run.added_at, run.owner, seq, now(), 'log', jsonb_build_object('type', 'log', 'runId', run.id, 'seq', seq, 'at', 1, 'level', 'info', 'message', 'line')
       from public.studio_runs as run, generate_series($2::int, $3::int) as seq where run.id = $1`,
      [id, from, to],
    );
  const reader = await serverRuns.reader(id);
  expect(await reader.read()).toEqual([]);
  await log(0, 1_200);
  expect((await reader.read()).map(({ seq }) => seq)).toEqual(Array.from({ length: 1_201 }, (_, seq) => seq));
  await log(1_201, 1_201);
  expect(await reader.read()).toMatchObject([{ seq: 1_201, message: "line" }]);
  expect(await reader.read()).toEqual([]);

  expect(await serverRuns.cancel(id)).toBe("cancelled");
  expect(await serverRuns.cancel(id)).toBe("cancelled");
  const retried = await serverRuns.start({ ...request, target: "1", key: "second", forkedFrom: { runId: id } });
  expect(await runs.get(retried.id)).toMatchObject({ status: "queued", forkedFrom: { runId: id } });
  await expect(serverRuns.cancel(randomUUID())).rejects.toMatchObject({ kind: "not-found" });
});
