import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestStack, type TestStack } from "../../../../supabase/local/testing/start-stack.ts";
import { newDocument } from "../../../engine/document/new-document.ts";
import type { AllowedValue } from "../../../engine/trust/allowed-values.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createWorkflowRepository } from "../../document/storage/workflow-repository.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createAllowedValues, readAllowedValues } from "./allowed-values.ts";

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.stop());

async function newUser() {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  const { id } = await createAuthService(client, null).enterAsGuest();
  const document = newDocument(randomUUID(), "Answers mail");
  await createWorkflowRepository(client).create(document);
  const read = readAllowedValues(client.database);
  const values = createAllowedValues(client);
  return {
    id,
    values,
    workflowId: document.id,
    read: (workflowId = document.id) => read(workflowId, new AbortController().signal),
    listed: async () => (await values.list()).map(({ value, isAllowed, approvals }) => [value, isAllowed, approvals]),
  };
}

const valueOf = (value: string, more: Partial<AllowedValue> = {}): AllowedValue => ({
  nodeId: "mail",
  toolName: "send",
  definition: "a".repeat(64),
  path: ["to", null],
  value,
  ...more,
});
const bob = valueOf("bob@acme.example");

describe("what a person answered for values", () => {
  it("allows exactly what was allowed, in that workflow, until it is revoked", async () => {
    const { values, workflowId, read } = await newUser();
    await values.answer(workflowId, [bob, bob], "allowed");
    expect(await read()).toEqual([bob]);
    expect(await read(randomUUID())).toEqual([]);
    const [kept] = await values.list();
    expect(kept).toMatchObject({ workflowName: "Answers mail", toolName: "send", path: ["to", null], isAllowed: true });
    await values.remove(kept?.id ?? "");
    expect(await read()).toEqual([]);
    expect(await values.list()).toEqual([]);
  });

  it("suggests what was approved three times, and allows it only once that is taken", async () => {
    const { values, workflowId, read, listed } = await newUser();
    for (let times = 1; times <= 3; times += 1) {
      expect(await listed()).toEqual([]);
      await values.answer(workflowId, [bob], "approved");
    }
    expect(await listed()).toEqual([["bob@acme.example", false, 3]]);
    expect(await read()).toEqual([]);
    await values.allow((await values.list())[0]?.id ?? "");
    expect(await listed()).toEqual([["bob@acme.example", true, 3]]);
    expect(await read()).toEqual([bob]);
  });

  it("never suggests what was edited or rejected once, before or after", async () => {
    const { values, workflowId, listed } = await newUser();
    const ann = valueOf("ann@acme.example");
    await values.answer(workflowId, [bob], "changed");
    for (let times = 1; times <= 4; times += 1) await values.answer(workflowId, [bob, ann], "approved");
    await values.answer(workflowId, [ann], "changed");
    expect(await listed()).toEqual([]);
  });

  it("counts each tool, argument and value by itself", async () => {
    const { values, workflowId, listed } = await newUser();
    const others = [
      bob,
      valueOf("bob@acme.example", { toolName: "forward" }),
      valueOf("bob@acme.example", { path: ["cc", null] }),
      valueOf("bob@acme.example", { nodeId: "other" }),
      valueOf("bob@acme.example", { definition: "b".repeat(64) }),
      valueOf("bob@acme.example.evil.example"),
    ];
    for (const value of others) await values.answer(workflowId, [value], "approved");
    expect(await listed()).toEqual([]);
  });

  it("S100 is nobody else's: neither read, nor changed, nor written into another's workflow", async () => {
    const [alice, mallory] = [await newUser(), await newUser()];
    await alice.values.answer(alice.workflowId, [bob], "allowed");
    const [kept] = await alice.values.list();
    expect(await mallory.read(alice.workflowId)).toEqual([]);
    await mallory.values.remove(kept?.id ?? "");
    await expect(mallory.values.allow(kept?.id ?? "")).rejects.toMatchObject({ kind: "not-found" });
    await expect(mallory.values.answer(alice.workflowId, [valueOf("m@evil.example")], "allowed")).rejects.toMatchObject(
      {
        name: "ServiceError",
      },
    );
    expect(await alice.read()).toEqual([bob]);
  });

  it("refuses a value past a thousand, and drops what was counted long ago", async () => {
    const { id, values, workflowId, read, listed } = await newUser();
    const row = (state: string, age: string, number: string) =>
      `insert into public.studio_allowed_values (owner, workflow_id, node_id, tool_name, definition, path, value, state, approvals, answered_at)
       select '${id}', '${workflowId}', 'mail', 'send', repeat('a', 64), '["to"]', '${state}' || made, '${state}', 3, now() - interval '${age}'
       from generate_series(1, ${number}) as made`;
    await stack.sql(row("approved", "91 days", "3"));
    await stack.sql(row("allowed", "1 day", "999"));
    await values.answer(workflowId, [bob], "allowed");
    expect((await listed()).filter(([, isAllowed]) => isAllowed === false)).toEqual([]);
    await expect(values.answer(workflowId, [valueOf("one@more.example")], "allowed")).rejects.toMatchObject({
      kind: "full",
      hint: "Revoke some in Settings, under Approvals.",
    });
    expect(await read()).toHaveLength(1_000);
  });

  it("goes with its workflow and with the account", async () => {
    const { id, values, workflowId } = await newUser();
    await values.answer(workflowId, [bob], "allowed");
    await stack.sql("delete from public.studio_workflows where id = $1", [workflowId]);
    expect(await values.list()).toEqual([]);
    const [steps] = await stack.sql<{ found: boolean }>(
      "select exists (select from private.studio_owned_tables() where name = 'public.studio_allowed_values') as found",
    );
    expect(steps?.found).toBe(true);
    expect(id).not.toBe("");
  });
});
