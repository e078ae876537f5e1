import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { newDocument } from "../../../engine/document/new-document.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createVersionRepository } from "./version-repository.ts";
import { createWorkflowRepository } from "./workflow-repository.ts";

let stack: SharedStack;
let alice: Awaited<ReturnType<typeof newUser>>;

async function newUser() {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  return { workflows: createWorkflowRepository(client), versions: createVersionRepository(client) };
}

beforeAll(async () => {
  stack = await sharedTestStack();
  alice = await newUser();
});

function withNote(text: string, id: string = randomUUID()): WorkflowDocument {
  const document = newDocument(id, "Draft");
  document.nodes["n"] = {
    id: "n",
    type: "sticky-note",
    version: 1,
    title: "Note",
    position: { x: 0, y: 0 },
    config: { text },
  };
  return document;
}

/** Saves each text in turn, `minutes` apart as the database sees it. */
async function edited(texts: readonly string[], minutes: number): Promise<string> {
  const stored = await alice.workflows.create(withNote("first"));
  let { revision } = stored;
  for (const text of texts) {
    const saved = await alice.workflows.save(withNote(text, stored.id), revision);
    if (!saved.ok) throw new Error("The workflow was saved elsewhere.");
    revision = saved.revision;
    const back = "update public.studio_workflow_versions set created_at = created_at - $1 * interval '1 minute'";
    await stack.sql(`${back} where workflow_id = $2`, [minutes, stored.id]);
  }
  return stored.id;
}

const textsOf = async (workflowId: string) => {
  const versions = (await alice.versions.page(workflowId, { limit: 200 })).rows;
  const documents = await Promise.all(versions.map(({ id }) => alice.versions.document(id)));
  return documents.map(({ nodes }) => nodes["n"]?.config["text"]);
};

describe("versions of a workflow", () => {
  it("are kept of what an edit overwrites, at most one in ten minutes", async () => {
    expect(await textsOf(await edited(["second", "third", "fourth"], 0))).toEqual(["first"]);
    expect(await textsOf(await edited(["second", "third", "fourth"], 11))).toEqual(["third", "second", "first"]);
  });

  it("are not kept of an empty canvas or of a save that changes nothing", async () => {
    const stored = await alice.workflows.create(newDocument(randomUUID(), "Empty"));
    await alice.workflows.save({ ...withNote("x", stored.id), name: "Empty" }, stored.revision);
    expect((await alice.versions.page(stored.id, { limit: 200 })).rows).toEqual([]);
  });

  it("can be made by hand, named, renamed and deleted", async () => {
    const { id, document, revision } = await alice.workflows.create(withNote("as it is"));
    const kept = await alice.versions.keep(document, { name: "Works", reason: "manual", revision });
    expect((await alice.versions.page(id, { limit: 200 })).rows).toMatchObject([
      { name: "Works", reason: "manual", revision: 1 },
    ]);
    await alice.versions.rename(kept.id, "Works well");
    expect((await alice.versions.page(id, { limit: 200 })).rows).toMatchObject([{ name: "Works well" }]);
    expect(await alice.versions.document(kept.id)).toEqual(document);
    await alice.versions.remove(kept.id);
    expect((await alice.versions.page(id, { limit: 200 })).rows).toEqual([]);
    await expect(alice.versions.document(kept.id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(alice.versions.rename(kept.id, "x")).rejects.toMatchObject({ kind: "not-found" });
  });

  it("stay a hundred without a name, and all with one", async () => {
    const { id, document, revision } = await alice.workflows.create(withNote("0"));
    await alice.versions.keep(document, { name: "Kept", reason: "manual", revision });
    for (let count = 1; count <= 103; count += 1)
      await alice.versions.keep(withNote(String(count), id), { reason: "import", revision });
    const versions = (await alice.versions.page(id, { limit: 200 })).rows;
    expect(versions).toHaveLength(101);
    expect(versions.at(-1)).toMatchObject({ name: "Kept" });
    const oldest = versions.at(-2);
    expect(oldest && (await alice.versions.document(oldest.id)).nodes["n"]?.config["text"]).toBe("4");
  });

  it("S37 of someone else do not exist, and nobody adds to another's workflow", async () => {
    const { id, document, revision } = await alice.workflows.create(withNote("mine"));
    const kept = await alice.versions.keep(document, { reason: "manual", revision });
    const bob = await newUser();
    expect((await bob.versions.page(id, { limit: 200 })).rows).toEqual([]);
    await expect(bob.versions.document(kept.id)).rejects.toMatchObject({ kind: "not-found" });
    await bob.versions.remove(kept.id);
    await expect(bob.versions.keep(document, { reason: "manual", revision })).rejects.toMatchObject({
      name: "ServiceError",
    });
    expect((await alice.versions.page(id, { limit: 200 })).rows).toHaveLength(1);
  });
});
