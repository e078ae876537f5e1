import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { plant } from "../../../../supabase/local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../../../../supabase/local/testing/start-stack.ts";

let stack: TestStack;
let alice: SignedIn;
let workflowId: string;

/** Rows of all sessions of the workflow, and of the shared ones; every tenth of them in the long one; enough for Postgres to choose as it does for 100,000. */
const rows = 30_000;

beforeAll(async () => {
  stack = await startTestStack();
  alice = await signUp(stack);
  workflowId = String((await plant(stack, "studio_workflows", alice))["id"]);
  // The sessions of the workflow and the shared ones take turns, as those of several users do.
  await stack.sql(
    `insert into public.studio_agent_memory (owner, workflow_id, session_id, role, content, message)
     select $1, case when n % 2 = 0 then $2::uuid end, case when n % 20 < 2 then 'long' else 'session ' || n % 500 end,
       'user', 'x', '{"role":"user","parts":[]}'
     from generate_series(1, ${2 * rows}) as n`,
    [alice.userId, workflowId],
  );
  await stack.sql("analyze public.studio_agent_memory");
});

afterAll(() => stack.stop());

interface Plan {
  "Node Type": string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** How Postgres runs a query of the signed-in user, row level security included. */
async function planOf(query: string): Promise<Plan[]> {
  const claims = JSON.stringify({ sub: alice.userId, role: "authenticated" });
  return stack.undone(async (transaction) => {
    await transaction.query("select set_config('request.jwt.claims', $1, true)", [claims]);
    await transaction.query("select set_config('request.jwt.claim.sub', $1, true)", [alice.userId]);
    await transaction.query("set local role authenticated");
    const { rows } = await transaction.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
      `explain (analyze, format json) ${query}`,
    );
    const top = rows[0]?.["QUERY PLAN"][0]?.Plan;
    if (!top) throw new Error("Postgres gave no plan.");
    const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];
    return flat(top);
  });
}

function expectNoScanOfAll(plan: Plan[]): void {
  expect(plan.map((node) => node["Node Type"])).not.toContain("Seq Scan");
  expect(plan.map((node) => node["Node Type"])).not.toContain("Sort");
}

describe("query plans of the memory", () => {
  it.each([
    ["a workflow's session", () => `workflow_id = '${workflowId}'`, "studio_agent_memory_of_session"],
    ["a shared session", () => "workflow_id is null", "studio_agent_memory_shared"],
  ])("read the last ten messages of %s from the index alone, in its order", async (_case, place, index) => {
    const plan = await planOf(
      `select id, message from public.studio_agent_memory
       where session_id = 'long' and ${place()} order by id desc limit 10`,
    );
    expectNoScanOfAll(plan);
    const scan = plan.find((node) => node["Index Name"] !== undefined);
    expect(scan).toMatchObject({ "Index Name": index, "Actual Rows": 10 });
    expect(scan?.["Rows Removed by Filter"] ?? 0).toBe(0);
  });

  it.each([
    ["a workflow's session", () => `workflow_id = '${workflowId}'`],
    ["a shared session", () => "workflow_id is null"],
  ])("find where to prune %s, and what came after a summary, by an index and near its end", async (_case, place) => {
    const session = `from public.studio_agent_memory where session_id = 'long' and ${place()}`;
    const newest = await stack.sql<{ id: number }>(`select id ${session} order by id desc offset 20 limit 1`);
    const id = newest[0]?.id ?? 0;
    for (const query of [
      `select id ${session} order by id desc offset 9 limit 1`,
      `select id ${session} and role = 'user' and id <= ${id} order by id desc limit 1`,
      `select id, message ${session} and id > ${id} order by id desc limit 1000`,
    ]) {
      const plan = await planOf(query);
      expectNoScanOfAll(plan);
      const scan = plan.find((node) => node["Index Name"] !== undefined);
      expect(scan, query).toBeDefined();
      expect((scan?.["Actual Rows"] ?? 0) + (scan?.["Rows Removed by Filter"] ?? 0), query).toBeLessThan(1_000);
    }
  });
});
