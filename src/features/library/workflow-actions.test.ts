import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { type SharedStack, sharedTestStack } from "../../../supabase/local/testing/shared-stack.ts";
import { newDocument } from "../../engine/document/new-document.ts";
import { createAuthService } from "../../state/account/storage/auth-service.ts";
import { createSupabaseClient } from "../../state/shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../../state/document/storage/workflow-repository.ts";
import type { WorkflowRepository } from "../../services/services.ts";
import { askWithTools } from "./templates/ask-with-tools.ts";
import { duplicateWorkflow, renameWorkflow } from "./workflow-actions.ts";

let stack: SharedStack;
let workflows: WorkflowRepository;

beforeAll(async () => {
  stack = await sharedTestStack();
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  workflows = createWorkflowRepository(client);
});

/** The same repository with another tab that saves whenever this one is about to, `times` times. */
function withOtherTab(times: number): WorkflowRepository {
  let left = times;
  return {
    ...workflows,
    async save(document, expectedRevision) {
      if (left > 0) {
        left -= 1;
        const { document: theirs, revision } = await workflows.get(document.id);
        await workflows.save({ ...theirs, nodes: { ...theirs.nodes, [`n${left}`]: note(`n${left}`) } }, revision);
      }
      return workflows.save(document, expectedRevision);
    },
  };
}

const note = (id: string) => ({ id, type: "sticky-note", version: 1, title: id, position: { x: 0, y: 0 }, config: {} });

it("S59 renames on top of what another tab saved meanwhile", async () => {
  const { id } = await workflows.create(newDocument(randomUUID(), "Old"));
  await renameWorkflow(withOtherTab(1), id, "New");
  const stored = await workflows.get(id);
  expect(stored.name).toBe("New");
  expect(Object.keys(stored.document.nodes)).toEqual(["n0"]);
});

it("gives up renaming while another tab keeps saving", async () => {
  const { id } = await workflows.create(newDocument(randomUUID(), "Old"));
  await expect(renameWorkflow(withOtherTab(10), id, "New")).rejects.toMatchObject({ kind: "conflict" });
  expect((await workflows.get(id)).name).toBe("Old");
});

it("duplicates a workflow under a free name with everything in it", async () => {
  const { id } = await workflows.create(askWithTools(randomUUID()));
  const newId = randomUUID();
  const copy = await duplicateWorkflow(workflows, id, {
    newId,
    namesLike: async () => ["Ask with tools copy"],
  });
  expect(copy.document).toEqual({ ...askWithTools(newId), name: "Ask with tools copy 2" });
});
