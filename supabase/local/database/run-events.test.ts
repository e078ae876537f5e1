import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PostgresServer, startPostgresServer } from "../../functions/_shared/testing/postgres-server.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";
import { loadKeys } from "./keys.ts";
import { openTargetDirectory, openTargetServer } from "./moving/places.ts";
import { readServerAddress } from "./postgres/server-address.ts";
import { addVectors } from "./postgres/testing/vector-stand-in.ts";
import type { SqlSession } from "./sql-session.ts";

const migrations = fileURLToPath(new URL("../../migrations", import.meta.url));
/** The last migration before events had partitions. */
const before = "20261128021853";
const log = () => undefined;

/** Somebody with a run of three events, as it was stored then. */
async function fillOlder(session: SqlSession): Promise<{ owner: string; run: string; file: string }> {
  const [owner, workflow, run] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  await session.query("insert into auth.users (id, email) values ($1::text::uuid, $1 || '@example.test')", [owner]);
  await session.query("insert into public.studio_workflows (id, owner, name, document) values ($1, $2, 'Old', '{}')", [
    workflow,
    owner,
  ]);
  await session.query(
    "insert into public.studio_runs (id, owner, workflow_id, status) values ($1, $2, $3, 'completed')",
    [run, owner, workflow],
  );
  await session.query(
    `insert into public.studio_run_events (run_id, owner, seq, at, type, event)
     select $1, $2, seq, now(), 'log', '{"type":"log"}' from generate_series(0, 2) as seq`,
    [run, owner],
  );
  const { rows } = await session.query<{ file: string }>(
    "select pg_relation_filenode('public.studio_run_events')::text as file",
  );
  return { owner, run, file: rows[0]?.file ?? "" };
}

describe.each(["embedded", "on a server"])("events in partitions, %s", (where) => {
  let root: string;
  let server: PostgresServer | undefined;
  let stack: TestStack;
  let old: Awaited<ReturnType<typeof fillOlder>>;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "switchyard-events-"));
    const dataDir = join(root, "data");
    const keys = await loadKeys(join(root, "keys.json"), { mayCreate: true });
    if (where === "embedded") {
      const older = join(root, "migrations");
      await cp(migrations, older, { recursive: true });
      for (const file of await readdir(older)) if (file.slice(0, 14) > before) await rm(join(older, file));
      const place = await openTargetDirectory(dataDir, keys, { migrations: older, log });
      old = await fillOlder(place.session);
      await place.close();
    } else {
      server = await startPostgresServer();
      await addVectors(server);
      const options = { migrations, log, until: before };
      await cp(join(root, "keys.json"), join(dataDir, "keys.json"));
      const address = readServerAddress(server.url);
      const place = await openTargetServer(address, keys, join(dataDir, "keys.json"), options);
      old = await fillOlder(place.session);
      await place.close();
    }
    stack = await startTestStack({ dataDir, ...(server && { databaseUrl: server.url }), log });
  });
  afterAll(async () => {
    await stack?.stop();
    await server?.stop();
    await rm(root, { recursive: true, force: true });
  });

  const partsOf = async (run: string) =>
    (
      await stack.sql<{ part: string }>(
        "select distinct tableoid::regclass::text as part from public.studio_run_events where run_id = $1",
        [run],
      )
    ).map(({ part }) => part.replace("private.studio_run_events_", ""));
  const partitions = async () =>
    (
      await stack.sql<{ name: string }>(
        "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'public.studio_run_events'::regclass",
      )
    ).map(({ name }) => name.replace("private.studio_run_events_", ""));
  const eventsOf = async (owner: string) =>
    (
      await stack.sql<{ events: number }>("select events::integer from private.studio_usage where owner = $1", [owner])
    )[0]?.events;
  const month = async (later = 0) =>
    (
      await stack.sql<{ month: string }>(
        "select to_char((date_trunc('month', now() at time zone 'utc') + make_interval(months => $1::integer)), 'YYYY_MM') as month",
        [later],
      )
    )[0]?.month;

  /** A run with an event, added now or some months later. */
  async function addRun(owner: string, later = 0): Promise<string> {
    const [row] = await stack.sql<{ id: string }>(
      `insert into public.studio_runs (owner, workflow_id, status, added_at)
       select $1, id, 'completed', date_trunc('milliseconds', now() + make_interval(months => $2::integer))
       from public.studio_workflows where owner = $1 returning id`,
      [owner, later],
    );
    if (!row) throw new Error("The owner has a workflow.");
    await addEvent(row.id, 0);
    return row.id;
  }

  const addEvent = (run: string, seq: number) =>
    stack.sql(
      `insert into public.studio_run_events (run_id, run_added_at, owner, seq, at, type, event)
       select id, added_at, owner, $2::integer, now(), 'log', '{"type":"log"}' from public.studio_runs where id = $1`,
      [run, seq],
    );

  async function addOwner(): Promise<string> {
    const owner = crypto.randomUUID();
    await stack.sql("insert into auth.users (id, email) values ($1::text::uuid, $1 || '@example.test')", [owner]);
    await stack.sql("insert into public.studio_workflows (owner, name, document) values ($1, 'New', '{}')", [owner]);
    return owner;
  }

  /** Runs that were written last so long ago that they are kept no longer. */
  async function makeOld(...owners: string[]): Promise<void> {
    await stack.sql("alter table public.studio_runs disable trigger user");
    await stack.sql(
      "update public.studio_runs set updated_at = now() - interval '100 days' where owner = any ($1::uuid[])",
      [owners],
    );
    await stack.sql("alter table public.studio_runs enable trigger user");
  }

  test("the table of before becomes the first one as it is, and later runs lie in that of their month", async () => {
    const [file] = await stack.sql("select pg_relation_filenode('private.studio_run_events_before')::text as file");
    expect(file).toEqual({ file: old.file });
    expect((await partitions()).toSorted()).toEqual(["before", "other", await month(), await month(1)].toSorted());
    expect(await eventsOf(old.owner)).toBe(3);
    await addEvent(old.run, 3);
    expect(await partsOf(old.run)).toEqual(["before"]);
    const owner = await addOwner();
    expect(await partsOf(await addRun(owner))).toEqual([await month()]);
    expect(await eventsOf(old.owner)).toBe(4);
  });

  test("runs of a month without a partition go into the common one, and out of it when there is one", async () => {
    const owner = await addOwner();
    const run = await addRun(owner, 3);
    expect(await partsOf(run)).toEqual(["other"]);
    await stack.sql("select private.studio_add_events_month(now() + interval '3 months')");
    expect(await partsOf(run)).toEqual([await month(3)]);
    await addEvent(run, 1);
    expect(await partsOf(run)).toEqual([await month(3)]);
    expect(await eventsOf(owner)).toBe(2);
  });

  test("S65 an account goes from all partitions, and takes nothing of others along", async () => {
    const [leaving, staying] = [await addOwner(), await addOwner()];
    for (const owner of [leaving, staying]) for (const later of [0, 1, 6]) await addRun(owner, later);
    await stack.sql("select private.studio_begin_deletion($1)", [leaving]);
    await stack.sql("select private.studio_delete_part(60000, $1)", [leaving]);
    const left = "select count(*)::integer as left from public.studio_run_events where owner = $1";
    expect(await stack.sql(left, [leaving])).toEqual([{ left: 0 }]);
    expect(await stack.sql(left, [staying])).toEqual([{ left: 3 }]);
  });

  test("a partition goes once nobody keeps a run of it, and what it held counts no longer", async () => {
    const owner = await addOwner();
    const usage = () => stack.sql("select * from private.studio_usage where owner = $1", [owner]);
    const unused = await usage();
    // As a run of the time before.
    const run = crypto.randomUUID();
    await stack.sql(
      `insert into public.studio_runs (id, owner, workflow_id, status, added_at)
       select $2, owner, id, 'completed', '-infinity' from public.studio_workflows where owner = $1`,
      [owner, run],
    );
    await addEvent(run, 0);
    // What the worker asks for each owner.
    const prune = async (whose: string) =>
      (await stack.sql<{ left: boolean }>("select private.studio_prune_owner($1) as left", [whose]))[0]?.left;
    await makeOld(old.owner);
    expect(await prune(owner)).toBe(false);
    expect(await partitions()).toContain("before");
    expect(await eventsOf(old.owner)).toBe(4);

    await makeOld(owner);
    expect(await prune(owner)).toBe(true);
    expect(await partitions()).not.toContain("before");
    expect([await eventsOf(old.owner), await eventsOf(owner)]).toEqual([0, 0]);
    expect(await prune(owner)).toBe(false);
    expect(await stack.sql("select id from public.studio_runs where id = $1", [run])).toEqual([]);
    expect(await usage()).toEqual(unused);
  });
});
