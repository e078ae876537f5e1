import { expect, test } from "vitest";
import { signUp } from "../testing/clients.ts";
import { plant } from "../testing/sample-rows.ts";
import { sharedTestStack } from "../testing/shared-stack.ts";

const stack = await sharedTestStack();
const user = await signUp(stack);
const { client } = user;

async function create(name = "New") {
  const { data, error } = await client
    .from("studio_workflows")
    .insert({ name, document: { nodes: {} } })
    .select()
    .single();
  if (error) throw error;
  return data;
}

test("S59 of two updates of the same revision one wins and the other changes nothing", async () => {
  const { id } = await create();
  const save = (name: string) =>
    client
      .from("studio_workflows")
      .update({ name, revision: 2 })
      .eq("id", id)
      .eq("revision", 1)
      .select("name, revision");
  const answers = await Promise.all([save("first"), save("second")]);
  const winners = answers.flatMap((answer) => answer.data ?? []);
  expect(winners).toHaveLength(1);
  const { data } = await client.from("studio_workflows").select("name, revision").eq("id", id).single();
  expect(data).toEqual({ name: winners[0]?.name, revision: 2 });
});

test("the database counts revisions, whatever the client says", async () => {
  const { id, revision, updated_at: before } = await create();
  expect(revision).toBe(1);
  const set = (values: Record<string, unknown>) =>
    client.from("studio_workflows").update(values).eq("id", id).select("revision, updated_at").single();
  expect((await set({ revision: 40 })).data).toEqual({ revision: 1, updated_at: before });
  expect((await set({ document: { nodes: { a: 1 } }, revision: 1 })).data).toMatchObject({ revision: 2 });
  expect((await set({ deleted_at: new Date().toISOString() })).data).toMatchObject({ revision: 2 });
  expect((await set({ deleted_at: null, name: "Back" })).data).toMatchObject({ revision: 3 });
});

const insert = async (values: Record<string, unknown>) => {
  const { error } = await client.from("studio_workflows").insert({ name: "x", document: {}, ...values });
  return error ? error.code || `${error.message}: ${error.details}` : undefined;
};

test("a document is an object of at most 5 MB, a name has 1 to 200 characters", async () => {
  expect(await insert({ document: [] })).toBe("23514");
  expect(await insert({ document: { text: "x".repeat(5 * 1024 * 1024) } })).toBe("23514");
  expect(await insert({ document: { text: "x".repeat(4 * 1024 * 1024) } })).toBeUndefined();
  expect(await insert({ name: "" })).toBe("23514");
  expect(await insert({ name: "x".repeat(201) })).toBe("23514");
});

test("a request above the size limit is refused, and the next one is answered", async () => {
  const body = JSON.stringify({ name: "x", document: { text: "x".repeat(33 * 1024 * 1024) } });
  // That its sender can read the answer is tested with clients that wait for it; this one gives up where the connection closes.
  for (let round = 0; round < 2; round += 1) {
    const status = await fetch(`${stack.url}/rest/v1/studio_workflows`, {
      method: "POST",
      headers: { apikey: stack.key, authorization: `Bearer ${user.accessToken}`, "content-type": "application/json" },
      body,
    }).then(
      (response) => response.status,
      () => "closed",
    );
    expect([413, "closed"]).toContain(status);
  }
  expect((await client.from("studio_workflows").select("id").limit(1)).error).toBeNull();
});

test("deleting a workflow takes its runs, their events and its memory along", async () => {
  const { id } = await create();
  const run = await plant(stack, "studio_runs", user, { workflow_id: id });
  const event = { seq: 0, at: new Date().toISOString(), type: "log", event: {} };
  expect(
    (await client.from("studio_run_events").insert({ ...event, run_id: run.id, run_added_at: run.added_at })).error,
  ).toBeNull();
  const message = { session_id: "s", role: "user", message: {} };
  expect(
    (await client.from("studio_agent_memory").insert([{ ...message, workflow_id: id }, message])).error,
  ).toBeNull();
  await client.from("studio_workflows").delete().eq("id", id);
  expect((await client.from("studio_runs").select().eq("id", run.id)).data).toEqual([]);
  expect((await client.from("studio_run_events").select().eq("run_id", run.id)).data).toEqual([]);
  expect((await client.from("studio_agent_memory").select("workflow_id")).data).toEqual([{ workflow_id: null }]);
});

test("S57 events that are sent twice are stored once", async () => {
  const { id } = await create();
  const run = await plant(stack, "studio_runs", user, { workflow_id: id });
  const batch = [0, 1, 2].map((seq) => ({
    run_id: run.id,
    run_added_at: run.added_at,
    seq,
    at: new Date().toISOString(),
    type: "log",
    event: { seq },
  }));
  const send = () =>
    client.from("studio_run_events").upsert(batch, { onConflict: "run_id,seq,run_added_at", ignoreDuplicates: true });
  expect((await send()).error).toBeNull();
  expect((await send()).error).toBeNull();
  expect((await client.from("studio_run_events").select("seq").eq("run_id", run.id)).data).toHaveLength(3);
});

test("a run is updated by upsert and stamps when", async () => {
  const { id } = await create();
  const run = { ...(await plant(stack, "studio_runs", user, { workflow_id: id })) };
  const { data, error } = await client
    .from("studio_runs")
    .upsert({ id: run.id, workflow_id: id, status: "completed", output: { response: "42" }, total_tokens: 12 })
    .select("status, output, total_tokens, updated_at")
    .single();
  expect(error).toBeNull();
  expect(data).toMatchObject({ status: "completed", output: { response: "42" }, total_tokens: 12 });
  expect(data?.updated_at).not.toBe(run.updated_at);
  expect((await client.from("studio_runs").update({ status: "lost" }).eq("id", run.id)).error?.code).toBe("23514");
});

test("memory comes back in the order in which it was written", async () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({
    session_id: "ordered",
    role: index % 2 ? "assistant" : "user",
    content: String(index),
    message: { index },
  }));
  await client.from("studio_agent_memory").insert(rows.slice(0, 10));
  await client.from("studio_agent_memory").insert(rows.slice(10));
  const { data } = await client.from("studio_agent_memory").select("content").eq("session_id", "ordered").order("id");
  expect(data?.map((row) => row.content)).toEqual(rows.map((row) => row.content));
});
