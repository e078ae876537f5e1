import type { SqlSession } from "../database/sql-session.ts";

/** Whoever could get in, by id: people, and API keys that are not revoked, each as a person knows them. */
export interface Access {
  accounts: ReadonlyMap<string, string>;
  keys: ReadonlyMap<string, string>;
}

/** Who could get in, as one database says. */
export async function readAccess(session: SqlSession): Promise<Access> {
  const { rows: accounts } = await session.query<{ id: string; name: string }>(
    `select users.id::text as id, coalesce(users.email, users.id::text) as name from auth.users as users
     where not exists (select from private.studio_deletions as deletions where deletions.owner = users.id) order by 2`,
  );
  const { rows: keys } = await session.query<{ id: string; name: string }>(
    `select keys.id::text as id, format('%s (%s…) of %s', keys.name, keys.prefix, coalesce(users.email, users.id::text)) as name
     from public.studio_api_keys as keys join auth.users as users on users.id = keys.owner
     where keys.revoked_at is null order by 2`,
  );
  return {
    accounts: new Map(accounts.map(({ id, name }) => [id, name])),
    keys: new Map(keys.map(({ id, name }) => [id, name])),
  };
}

/** Whom a restore has let in again: of those in the backup, who could not get in any more. In words. */
export function aliveAgain(
  restored: Access,
  now: Record<keyof Access, ReadonlySet<string>>,
): Record<keyof Access, string[]> {
  const since = (kind: keyof Access) => [...restored[kind]].flatMap(([id, name]) => (now[kind].has(id) ? [] : [name]));
  return { accounts: since("accounts"), keys: since("keys") };
}
