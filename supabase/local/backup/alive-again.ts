import { z } from "zod/mini";
import type { SqlSession } from "../database/sql-session.ts";

const named = z.object({ id: z.string(), name: z.string() });
const marked = z.object({ id: z.string(), name: z.string(), mark: z.nullable(z.string()) });

/** What lets somebody in, as one database says; names are those that a person knows. */
export const accessSchema = z.object({
  /** `mark`: another one for another password; null without one. */
  accounts: z.array(marked),
  /** API keys that are not revoked. */
  keys: z.array(named),
  /** Links to shared runs that have not expired. */
  links: z.array(named),
  /** Workflows with a live version. */
  published: z.array(named),
  /** Open doors of those, each by its workflow and its kind. */
  doors: z.array(named),
  /** Invites that were used and would be good otherwise, by id. */
  usedInvites: z.array(z.string()),
});

export type Access = z.infer<typeof accessSchema>;

export async function readAccess(session: Pick<SqlSession, "query">): Promise<Access> {
  const read = async (sql: string) => (await session.query<z.infer<typeof named>>(sql)).rows;
  const usedInvites = await read(
    "select id::text as id, id::text as name from private.studio_used_invites where expires_at > now() order by 1",
  );
  const accounts = await session.query<z.infer<typeof marked>>(
    `select users.id::text as id, coalesce(users.email, users.id::text) as name,
       encode(sha256(convert_to(users.id::text || users.encrypted_password, 'UTF8')), 'hex') as mark
     from auth.users as users
     where not exists (select from private.studio_deletions as deletions where deletions.owner = users.id) order by 2`,
  );
  return {
    accounts: accounts.rows,
    keys: await read(
      `select keys.id::text as id, format('%s (%s…) of %s', keys.name, keys.prefix, coalesce(users.email, users.id::text)) as name
       from public.studio_api_keys as keys join auth.users as users on users.id = keys.owner
       where keys.revoked_at is null order by 2`,
    ),
    links: await read(
      `select shared.id::text as id,
         format('%s of %s, shared %s', shared.title, coalesce(users.email, users.id::text), shared.created_at::date) as name
       from public.studio_shared_runs as shared join auth.users as users on users.id = shared.owner
       where shared.expires_at > now() order by 2`,
    ),
    published: await read(
      `select publications.workflow_id::text as id,
         format('%s of %s', publications.slug, coalesce(users.email, users.id::text)) as name
       from public.studio_publications as publications join auth.users as users on users.id = publications.owner
       where publications.live is not null order by 2`,
    ),
    doors: await read(
      `select publications.workflow_id || ' ' || kinds.kind as id,
         format('%s of %s of %s', kinds.title, publications.slug, coalesce(users.email, users.id::text)) as name
       from public.studio_publications as publications join auth.users as users on users.id = publications.owner
       cross join (values ('api', 'API'), ('hook', 'webhook'), ('chat', 'chat page'), ('mcp', 'MCP server')) as kinds (kind, title)
       left join public.studio_doors as doors on doors.workflow_id = publications.workflow_id and doors.kind = kinds.kind
       where publications.live is not null and coalesce(doors.enabled, kinds.kind = 'api') order by 2`,
    ),
    usedInvites: usedInvites.map(({ id }) => id),
  };
}

/** What a restore has made good again that was not any more; all but invites by their names. */
export interface AliveAgain {
  accounts: string[];
  /** Accounts whose password of before counts again. */
  passwords: string[];
  keys: string[];
  links: string[];
  published: string[];
  /** Of workflows that are still published. */
  doors: string[];
  invites: number;
}

export function aliveAgain(restored: Access, now: Access): AliveAgain {
  const since = (kind: "accounts" | "keys" | "links" | "published") => {
    const left = new Set(now[kind].map(({ id }) => id));
    return restored[kind].flatMap(({ id, name }) => (left.has(id) ? [] : [name]));
  };
  const publishedNow = new Set(now.published.map(({ id }) => id));
  const openNow = new Set(now.doors.map(({ id }) => id));
  const marks = new Map(now.accounts.map(({ id, mark }) => [id, mark]));
  return {
    accounts: since("accounts"),
    passwords: restored.accounts.flatMap(({ id, name, mark }) =>
      marks.has(id) && marks.get(id) !== mark ? [name] : [],
    ),
    keys: since("keys"),
    links: since("links"),
    published: since("published"),
    doors: restored.doors.flatMap(({ id, name }) =>
      publishedNow.has(id.slice(0, id.indexOf(" "))) && !openNow.has(id) ? [name] : [],
    ),
    invites: now.usedInvites.filter((id) => !restored.usedInvites.includes(id)).length,
  };
}
