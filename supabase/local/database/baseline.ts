import { inTransaction, type SqlSession } from "./sql-session.ts";
import { StartError } from "../start-error.ts";

/** The last migration of 0.1, in which the schema was a chain of changes. */
export const lastEarlier = "20260210000000";

/**
 * Since 0.2 the schema begins with one migration for each subject. The one before these, which has the functions that grant
 * rights, is new to data of 0.1 as well.
 */
const isOfBaseline = (version: string): boolean => version >= "20261127000100" && version <= "20261127000900";

/** Whether a version belongs to the chain that the baseline replaced. */
export const isBeforeBaseline = (version: string): boolean => /^\d{14}$/.test(version) && version < "20261127000000";

/**
 * Records the baseline as applied in data whose schema is the same already, made by the last of the earlier migrations.
 * Data of that kind have the whole chain in `applied`. Returns the versions that are recorded now.
 * Throws StartError for data of an older version, and leaves them as they are.
 */
export async function adoptBaseline(
  session: SqlSession,
  migrations: readonly { version: string; name: string }[],
  applied: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const subjects = migrations.filter(({ version }) => isOfBaseline(version));
  const earlier = [...applied].filter(isBeforeBaseline);
  if (subjects.length === 0 || earlier.length === 0) return applied;
  if (!applied.has(lastEarlier)) {
    throw new StartError(
      `The data are of an early version of Switchyard (their newest migration is ${earlier.toSorted().at(-1)}).`,
      "Nothing was changed. Start the last Switchyard 0.1 on them once, then this version.",
    );
  }
  await inTransaction(session, async () => {
    await session.query("delete from supabase_migrations.schema_migrations where version = any ($1::text[])", [
      earlier,
    ]);
    for (const { version, name } of subjects) {
      await session.query("insert into supabase_migrations.schema_migrations (version, name) values ($1, $2)", [
        version,
        name,
      ]);
    }
  });
  const later = [...applied].filter((version) => !isBeforeBaseline(version));
  return new Set([...later, ...subjects.map(({ version }) => version)]);
}
