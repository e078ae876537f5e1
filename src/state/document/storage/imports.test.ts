import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { entryState, type KeptEntry, type KeptReport } from "../../../engine/document/import-report.ts";
import { newDocument } from "../../../engine/document/new-document.ts";
import type { NodeRecord, WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { type ImportedWorkflow, type OpenImport, openImports } from "../../../services/services.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "./workflow-repository.ts";

let stack: SharedStack;
const newUser = async () => {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  return { client, workflows: createWorkflowRepository(client) };
};
beforeAll(async () => {
  stack = await sharedTestStack();
});

const counts = { total: 3, mapped: 1, approximated: 1, needsCredential: 1, placeholder: 0 };

function imported(
  name: string,
  entries: KeptEntry[],
  nodes: Record<string, Partial<NodeRecord>> = {},
): WorkflowDocument {
  const document = newDocument(randomUUID(), name);
  for (const [id, node] of Object.entries(nodes))
    document.nodes[id] = { id, type: "stop", version: 1, title: id, position: { x: 0, y: 0 }, config: {}, ...node };
  const report: KeptReport = {
    format: "n8n",
    nodes: counts,
    edges: { total: 0, mapped: 0 },
    expressions: { total: 0, cel: 0, code: 0 },
    entries,
  };
  return { ...document, importReport: report };
}

const kinds = ["node", "edge", "credential"] as const;
const nodes = {
  placeholder: { type: "placeholder" },
  tool: { type: "placeholder-tool" },
  plain: { type: "stop" },
  chosen: { type: "openai-model", config: { credential: "c1" } },
  empty: { type: "openai-model", config: { credential: "" } },
  odd: { type: "openai-model", config: { credential: 3 } },
};

it("lists imports with what is open by the same rule as the editor, the first open node, and filters by it", async () => {
  const { workflows } = await newUser();
  const all: KeptEntry[] = openImports.flatMap((outcome) =>
    kinds.flatMap((about) =>
      [undefined, ...Object.keys(nodes), "gone"].flatMap((nodeId): KeptEntry[] => {
        const entry = { about, node: "x", sourceType: "", outcome, note: "", ...(nodeId ? { nodeId } : {}) };
        return [entry, { ...entry, done: true }];
      }),
    ),
  );
  const document = imported("Everything", all, nodes);
  await workflows.create(document);
  await workflows.create(
    imported("Done", [{ about: "node", node: "x", sourceType: "", outcome: "placeholder", note: "", nodeId: "gone" }]),
  );
  await workflows.create(newDocument(randomUUID(), "Not imported"));

  const page = await workflows.imports({ limit: 10, open: null });
  expect(page.rows.map(({ name }) => name)).toEqual(["Done", "Everything"]);
  const open = all.filter((entry) => entryState(entry, document.nodes) === "open");
  const openOf = (kind: OpenImport) => open.filter(({ outcome }) => outcome === kind).length;
  const expected = {
    placeholder: openOf("placeholder"),
    needsCredential: openOf("needsCredential"),
    approximated: openOf("approximated"),
  };
  expect(page.rows[1]).toMatchObject({
    format: "n8n",
    received: false,
    nodes: 3,
    open: expected,
    first: open.find(({ nodeId }) => nodeId !== undefined)?.nodeId,
  } satisfies Partial<ImportedWorkflow>);
  const names = async (filter: Parameters<typeof workflows.imports>[0]["open"]) =>
    (await workflows.imports({ limit: 10, open: filter })).rows.map(({ name }) => name);
  for (const kind of [...openImports, "any"] as const) expect(await names(kind)).toEqual(["Everything"]);
  expect(await names("none")).toEqual(["Done"]);
  expect((await workflows.imports({ limit: 10, open: null, search: "every" })).total).toBe(1);
});

it("goes on page by page, and shows nobody what others imported", async () => {
  const [alice, bob] = await Promise.all([newUser(), newUser()]);
  for (const name of ["A", "B", "C"]) await alice.workflows.create(imported(name, []));
  const first = await alice.workflows.imports({ limit: 2, open: null });
  expect(first).toMatchObject({ total: 3, rows: [{ name: "C" }, { name: "B" }] });
  const rest = await alice.workflows.imports({ limit: 2, open: null, after: first.next ?? {} });
  expect(rest).toMatchObject({ rows: [{ name: "A" }], next: null });
  expect((await bob.workflows.imports({ limit: 10, open: null })).rows).toEqual([]);
});

it("stores a document whatever its report is", async () => {
  const { client, workflows } = await newUser();
  const odd = [
    "text",
    3,
    [],
    null,
    {},
    { format: 3 },
    { format: "n8n", entries: "x" },
    { format: "n8n", entries: [1, null, { nodeId: {}, outcome: [] }] },
  ];
  for (const importReport of odd) {
    const id = randomUUID();
    const document = { ...newDocument(id, "Odd"), importReport };
    const { error } = await client.database.from("studio_workflows").insert({ id, name: "Odd", document });
    expect(error).toBeNull();
  }
  expect((await workflows.imports({ limit: 20, open: null })).rows.length).toBeGreaterThan(0);
});
