import type { SqlSession } from "../../supabase/local/database/sql-session.ts";
import type { FunctionFile } from "./function-files.ts";

/** What the next migration has to bring, as statements in their order. */
export interface FunctionChanges {
  /** Functions of the database that no file has. */
  dropped: string[];
  /** Files whose function is new or other than the database's; `replaced` needs the old one dropped first. */
  changed: { file: FunctionFile; replaced: boolean }[];
}

interface Definition {
  signature: string;
  definition: string;
}

/** In full, whatever the session's search path is. */
const signature = "format('%s.%s(%s)', pronamespace::regnamespace, proname, oidvectortypes(proargtypes))";

/** A parameter's name or default, or the type of what it gives, cannot be changed in place. */
const cannotBeReplaced = "42P13";

/**
 * Compares the files with the functions of a database to which all migrations are applied, and leaves it as it is.
 * Throws what Postgres says of a file that it cannot run, with the file's path.
 */
export async function changedFunctions(session: SqlSession, files: readonly FunctionFile[]): Promise<FunctionChanges> {
  await session.exec("begin; set local check_function_bodies = off");
  try {
    const before = await definitions(session);
    const replaced = new Set<string>();
    for (const file of files) if (await applied(session, file)) replaced.add(file.path);
    const after = await definitions(session);
    const { rows } = await session.query<{ path: string; signature: string }>(
      `select files.path, ${signature} as signature
       from jsonb_to_recordset($1::text::jsonb) as files (path text, signature text)
       join pg_proc on pg_proc.oid = files.signature::regprocedure`,
      [JSON.stringify(files.map(({ path, signature }) => ({ path, signature })))],
    );
    const signatures = new Map(rows.map(({ path, signature }) => [path, signature]));
    const named = new Set(signatures.values());
    return {
      dropped: [...before.keys()].filter((signature) => !named.has(signature)),
      changed: files
        .filter(({ path }) => before.get(signatures.get(path) ?? "") !== after.get(signatures.get(path) ?? ""))
        .map((file) => ({ file, replaced: replaced.has(file.path) })),
    };
  } finally {
    await session.exec("rollback");
  }
}

/** Runs a file; whether the function had to be dropped for it. */
async function applied(session: SqlSession, { path, signature, text }: FunctionFile): Promise<boolean> {
  await session.exec("savepoint file");
  try {
    await session.exec(text);
    return false;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === cannotBeReplaced)) throw named(path, error);
    await session.exec("rollback to savepoint file");
    await session.exec(`drop function ${signature}; ${text}`).catch((second: unknown) => {
      throw named(path, second);
    });
    return true;
  } finally {
    await session.exec("release savepoint file").catch(() => undefined);
  }
}

const named = (path: string, error: unknown) =>
  new Error(`supabase/sql/${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });

/** Every function of ours with its rights, by signature. */
async function definitions(session: SqlSession): Promise<Map<string, string>> {
  const { rows } = await session.query<Definition>(`
    select ${signature} as signature,
      pg_get_functiondef(oid) || coalesce((select string_agg(item::text, ' ' order by item::text) from unnest(proacl) as item), '')
        as definition
    from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`);
  return new Map(rows.map(({ signature, definition }) => [signature, definition]));
}
