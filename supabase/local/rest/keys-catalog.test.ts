import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { signUp } from "../testing/clients.ts";
import { startTestStack } from "../testing/start-stack.ts";

const stack = await startTestStack();
afterAll(() => stack.stop());

test("every foreign key leads an index, so that deleting a parent reads no whole table", async () => {
  // Of a column that says in which partition a row lies no index is needed.
  const without = await stack.sql(`
    select k.conrelid::regclass::text as table, k.conname as key
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace
    cross join lateral (
      select array(
        select unnest(k.conkey) except
        select unnest(p.partattrs::int2[]) from pg_partitioned_table p
        where k.conrelid = p.partrelid
          or exists (select from pg_inherits h where h.inhparent = p.partrelid and h.inhrelid = k.conrelid)
      ) as columns
    ) as looked_up
    where k.contype = 'f' and n.nspname in ('public', 'private')
      and not exists (
        select from pg_index i
        where i.indrelid = k.conrelid and i.indisvalid and i.indpred is null
          and (i.indkey::int2[])[0:cardinality(looked_up.columns) - 1] @> looked_up.columns
      )
    order by 1, 2`);
  expect(without).toEqual([]);
});

test("S37 nobody but the service role may use a sequence", async () => {
  const open = await stack.sql(`
    select c.oid::regclass::text as sequence, r.rolname as role
    from pg_class c join pg_namespace n on n.oid = c.relnamespace, pg_roles r
    where c.relkind = 'S' and n.nspname in ('public', 'private') and r.rolname in ('anon', 'authenticated')
      and has_sequence_privilege(r.oid, c.oid, 'usage, select, update')`);
  expect(open).toEqual([]);
});

describe("with 100,000 rows of fifty users", async () => {
  const user = await signUp(stack);
  const workflow = randomUUID();
  await stack.sql(`insert into auth.users (id) select gen_random_uuid() from generate_series(1, 49)`);
  await stack.sql(
    `insert into public.studio_workflows (id, owner, name)
     select case when id = $1 then $2::uuid else gen_random_uuid() end, id, 'Large' from auth.users`,
    [user.userId, workflow],
  );
  // In parts, since one statement has its deadline.
  for (let part = 0; part < 10; part += 1) {
    // Ten runs more than are kept, and nobody signed in whose start of a run would clear them.
    await stack.sql(
      `insert into public.studio_runs (owner, workflow_id, status, started_at)
       select workflows.owner, workflows.id, 'completed', now() - i * interval '1 second'
       from public.studio_workflows as workflows, generate_series(1 + $1::int * 201, 201 + $1::int * 201) as i`,
      [part],
    );
    await stack.sql(
      `insert into public.studio_agent_memory (owner, workflow_id, session_id, role, message)
       select workflows.owner, case when i % 10 = 0 then null else workflows.id end, 'session-' || (i % 20), 'user',
         '{"role":"user"}'
       from public.studio_workflows as workflows, generate_series(1 + $1::int * 200, 200 + $1::int * 200) as i`,
      [part],
    );
  }

  /** Runs a statement as the user; gives how many rows of each table it read one after the other, and by an index. */
  async function reads(statement: string): Promise<Record<string, { whole: number; byIndex: number }>> {
    const claims = JSON.stringify({ sub: user.userId, role: "authenticated" });
    return stack.undone(async (transaction) => {
      const counted = async () => {
        const { rows } = await transaction.query<{ name: string; whole: string; byIndex: string }>(`
          select relname as name, seq_tup_read as whole, idx_tup_fetch as "byIndex"
          from pg_stat_xact_user_tables where schemaname = 'public'`);
        return new Map(
          rows.map(({ name, whole, byIndex }) => [name, { whole: Number(whole), byIndex: Number(byIndex) }]),
        );
      };
      // What the session read before counts too, until Postgres passes it on, which it does once a second at most.
      const before = await counted();
      await transaction.query("select set_config('request.jwt.claims', $1, true)", [claims]);
      await transaction.query("set local role authenticated");
      await transaction.query(statement);
      await transaction.query("reset role");
      return Object.fromEntries(
        [...(await counted())].map(([name, { whole, byIndex }]) => {
          const earlier = before.get(name) ?? { whole: 0, byIndex: 0 };
          return [name, { whole: whole - earlier.whole, byIndex: byIndex - earlier.byIndex }];
        }),
      );
    });
  }

  test.each([false, true])("pruning and lists read by index (planner's statistics: %s)", async (analyzed) => {
    if (analyzed) await stack.sql("analyze");
    const pruning = await reads("select public.studio_prune_runs()");
    expect(pruning["studio_runs"]?.whole).toBe(0);
    expect(pruning["studio_runs"]?.byIndex).toBeLessThan(100);

    const filters = [
      {},
      { workflowId: workflow },
      { statuses: ["failed"] },
      { statuses: ["running"], sources: ["editor"] },
    ];
    for (const filter of filters) {
      const page = await reads(`select * from public.studio_find_runs('${JSON.stringify(filter)}', 50, null)`);
      expect(page["studio_runs"]?.whole, JSON.stringify(filter)).toBe(0);
      expect(page["studio_runs"]?.byIndex, JSON.stringify(filter)).toBeLessThan(100);
    }
    const sums = await reads("select * from public.studio_run_costs(now() - interval '30 days', now(), 'UTC', 50)");
    expect(sums["studio_runs"]?.whole).toBe(0);
    expect(sums["studio_runs"]?.byIndex).toBeLessThan(1_000);
    const queue = await reads("select public.studio_queue_state()");
    expect(queue["studio_runs"]).toEqual({ whole: 0, byIndex: 0 });

    const listing = await reads(`select * from public.studio_memory_sessions('${workflow}')`);
    expect(listing["studio_agent_memory"]).toEqual({ whole: 0, byIndex: 0 });

    const cutting = await reads(`select public.studio_prune_memory('${workflow}', 'session-1', 10)`);
    expect(cutting["studio_agent_memory"]?.whole).toBe(0);
    expect(cutting["studio_agent_memory"]?.byIndex).toBeLessThan(1_000);
  });

  test("the list of conversations says what the messages say, whatever is written, edited and deleted", async () => {
    const { client } = user;
    const session = `told-${randomUUID()}`;
    const row = (text: string, shared = false) => ({
      workflow_id: shared ? null : workflow,
      session_id: session,
      role: "user",
      message: { role: "user", content: text },
    });
    const told = async () => {
      const { data } = await client.rpc("studio_memory_sessions", { p_workflow_id: workflow });
      return (data as { session_id: string }[]).filter(({ session_id: id }) => id === session);
    };
    const counted = () =>
      stack.sql<Record<string, unknown>>(
        `select workflow_id, session_id, count(*)::int as messages, sum(octet_length(message::text))::int as bytes,
           to_char(max(created_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US') as last
         from public.studio_agent_memory where session_id = $1 group by 1, 2 order by max(id) desc`,
        [session],
      );
    const agrees = async (conversations: number) => {
      const [shown, real] = [await told(), await counted()];
      expect(shown).toHaveLength(conversations);
      expect(
        shown.map(({ last_used_at: at, ...rest }: Record<string, unknown>) => ({
          ...rest,
          last: String(at).slice(0, 19),
        })),
      ).toEqual(
        real.map(({ last, ...rest }: Record<string, unknown>) => ({ ...rest, last: String(last).slice(0, 19) })),
      );
    };
    const { data, error } = await client
      .from("studio_agent_memory")
      .insert([row("one"), row("two"), row("three"), row("four", true)])
      .select("id");
    expect(error).toBeNull();
    await agrees(2);
    const ids = (data ?? []).map(({ id }) => Number(id));
    await client
      .from("studio_agent_memory")
      .update({ message: { role: "user", content: "a longer text" } })
      .eq("id", ids[0]);
    await agrees(2);
    await client.from("studio_agent_memory").delete().eq("id", ids[2]);
    await agrees(2);
    await client.from("studio_agent_memory").delete().eq("id", ids[3]);
    await agrees(1);
    await client.from("studio_agent_memory").delete().eq("session_id", session);
    await agrees(0);
  });
});
