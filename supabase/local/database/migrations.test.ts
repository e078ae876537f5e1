import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lastEarlier } from "./baseline.ts";
import { startTestStack } from "../testing/start-stack.ts";

const dataDir = await mkdtemp(join(tmpdir(), "switchyard-migrations-"));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const applied = "select version from supabase_migrations.schema_migrations order by version";
const helpers =
  "select proname from pg_proc where proname in ('studio_grant_rows', 'studio_grant_calls') order by proname";

/**
 * What data of 0.1 record: the last migration, some of those before it, and no function of the first one of today. What came after
 * the baseline stays, since it would not be made twice.
 */
async function makeEarlier(versions: readonly string[]): Promise<void> {
  const stack = await startTestStack({ dataDir });
  try {
    await stack.sql("delete from supabase_migrations.schema_migrations where version <= '20261127000900'");
    for (const version of versions) {
      await stack.sql("insert into supabase_migrations.schema_migrations (version, name) values ($1, 'earlier')", [
        version,
      ]);
    }
    await stack.sql("drop function if exists private.studio_grant_rows(regclass, text, text)");
    await stack.sql("drop function if exists private.studio_grant_calls(regprocedure, text[])");
  } finally {
    await stack.stop();
  }
}

test("data of the last version before the baseline go on, with the functions that grant rights", async () => {
  const first = await startTestStack({ dataDir });
  const all = await first.sql(applied);
  await first.sql("insert into auth.users (id, email) values (gen_random_uuid(), 'who-was-there@example.com')");
  await first.stop();
  await makeEarlier(["20260101000000", lastEarlier]);

  const stack = await startTestStack({ dataDir });
  try {
    expect(await stack.sql(applied)).toEqual(all);
    expect(await stack.sql(helpers)).toHaveLength(2);
    expect(await stack.sql("select email from auth.users")).toEqual([{ email: "who-was-there@example.com" }]);
    expect(await stack.sql("select kind from private.studio_quotas")).toHaveLength(5);
  } finally {
    await stack.stop();
  }
});

test("data of an earlier version are told which one to start first, and stay as they are", async () => {
  await makeEarlier(["20260101000000", "20260118000000"]);
  await expect(startTestStack({ dataDir })).rejects.toMatchObject({
    message: expect.stringContaining("20260118000000"),
    hint: expect.stringContaining("Start the last Switchyard 0.1 on them once"),
  });
});
