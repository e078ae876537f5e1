import { createHash } from "node:crypto";
import type { InstanceKeys } from "../keys.ts";
import type { SqlSession } from "../sql-session.ts";
import { StartError } from "../../start-error.ts";
import type { ServerAddress } from "./server-address.ts";

const table = "supabase_migrations.studio_keys";

/** Hashes of the keys that the studios of a database must share, by name. */
export type KeyMarks = ReadonlyMap<string, string>;

/**
 * The marks of the keys that a database is used with; none where no studio has used it yet. Sessions are signed and credentials
 * sealed with these keys, so that a studio with others could read neither.
 */
export async function readKeyMarks(session: SqlSession): Promise<KeyMarks> {
  const { rows: found } = await session.query<{ there: boolean }>("select to_regclass($1) is not null as there", [
    table,
  ]);
  if (!found[0]?.there) return new Map();
  const { rows } = await session.query<{ name: string; hash: string }>(`select name, hash from ${table}`);
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

/** Throws StartError when the database is used with other keys than these, or with one that is not among them. */
export function refuseOtherKeys(marks: KeyMarks, keys: InstanceKeys, { shown }: ServerAddress, path: string): void {
  const own = marksOf(keys);
  const isOther = [...marks].some(([name, hash]) => own.get(name) !== hash);
  if (isOther) throw otherKeys(shown, `${path} holds other keys`, path);
}

/** Throws StartError where a database has been used and there are no keys for it. */
export function refuseNewKeys(marks: KeyMarks, { shown }: ServerAddress, path: string): void {
  if (marks.size > 0) throw otherKeys(shown, `there is no ${path}`, path);
}

function otherKeys(shown: string, reason: string, path: string): StartError {
  return new StartError(
    `The database ${shown} was set up with the keys of another data directory, and ${reason}.`,
    `Nothing was changed. Studios of one database share their keys: copy keys.json of the first one to ${path} (chmod 600), or start with its --data <dir>.`,
  );
}

/** Notes the keys, for whoever comes next. */
export async function noteKeys(session: SqlSession, keys: InstanceKeys): Promise<void> {
  await session.exec(`create table if not exists ${table} (name text primary key, hash text not null)`);
  const marks = marksOf(keys);
  await session.query(
    `insert into ${table} (name, hash) select name, hash from unnest($1::text[], $2::text[]) as mark (name, hash)
     on conflict (name) do nothing`,
    [[...marks.keys()], [...marks.values()]],
  );
}

function marksOf(keys: InstanceKeys): KeyMarks {
  const hash = (text: string) => createHash("sha256").update(`switchyard ${text}`).digest("hex");
  const credentials = Object.entries(keys.credentialsKeys);
  return new Map([
    ["sessions", hash(keys.jwtSecret)],
    ["functions", hash(keys.secretKey)],
    ...credentials.map(([version, key]) => [`credentials ${version}`, hash(key)] as const),
  ]);
}
