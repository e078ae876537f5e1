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
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../../document/storage/workflow-repository.ts";

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.stop());

it("lists runs of workers with who started them, opens them on the version that they run, and keeps them while they wait", async () => {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  const workflows = createWorkflowRepository(client);
  const publications = createPublicationRepository(client);
  const runs = createRunRepository(client);

  const document = newDocument(randomUUID(), "Published");
  const { "manual-trigger": trigger } = registry;
  if (trigger === undefined) throw new Error("There is no manual trigger.");
  document.nodes["start"] = newNode(trigger, { id: "start", position: { x: 0, y: 0 } });
  await workflows.create(document);
  const made = await bundleWorkflow(document, { registry, workflows: createWorkflowLoader(workflows), sha256 });
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  await publications.publish({ bundle: made.bundle, slug: "listed", note: "", revision: 1, target: "live" });
  const start = () =>
    client.database.rpc("studio_start_run", { p_workflow: "listed", p_target: "live", p_input: { message: "Hi" } });
  await start();
  await start();
  await stack.sql("select * from private.studio_next_run('worker-1', 60000)");

  const { runs: found } = await runs.page({ sources: ["manual"] }, 10);
  expect(found.map(({ status, source, server }) => ({ status, source, server })).toSorted(byStatus)).toEqual([
    { status: "queued", source: "manual", server: { version: 1, attempt: 0, worker: null, cancelRequested: false } },
    {
      status: "running",
      source: "manual",
      server: { version: 1, attempt: 1, worker: "worker-1", cancelRequested: false },
    },
  ]);
  expect((await runs.page({ statuses: ["queued"] }, 10)).runs).toHaveLength(1);
  expect((await runs.page({ sources: ["editor"] }, 10)).runs).toEqual([]);

  const [one] = found;
  if (one === undefined) throw new Error("There is no run.");
  expect((await runs.get(one.id)).server).toEqual(one.server);
  expect(await runs.document(one.id)).toEqual(made.bundle.document);

  await runs.remove(found.map((run) => run.id));
  await runs.removeAll({});
  expect((await runs.page({}, 10)).runs).toHaveLength(2);
});

const byStatus = (one: { status: string }, other: { status: string }) => (one.status < other.status ? -1 : 1);
