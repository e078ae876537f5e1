import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { JsonObject } from "../../src/engine/json.ts";
import { startPostgresServer } from "../../supabase/functions/_shared/testing/postgres-server.ts";
import { addVectors } from "../../supabase/local/database/postgres/testing/vector-stand-in.ts";

/** What a hosted project has before its first migration. */
const before = `
  create schema auth;
  create table auth.users (id uuid primary key, email text, created_at timestamptz not null default now());
  create function auth.uid() returns uuid language sql stable as
    $$ select nullif(current_setting('request.jwt.claim.sub', true), '')::uuid $$;
  create role anon nologin noinherit;
  create role authenticated nologin noinherit;
  create role service_role nologin noinherit bypassrls;
`;

const migrations = fileURLToPath(new URL("../../supabase/migrations/", import.meta.url));

const workerPassword = "test-key-worker-role-0123456789";

/** The queue on a real PostgreSQL, with an account and a published workflow. */
export async function startQueueOnPostgres(owner: string, document: WorkflowDocument) {
  const server = await startPostgresServer({ setup: before });
  await addVectors(server);
  for (const file of readdirSync(migrations).toSorted()) await server.run(readFileSync(join(migrations, file), "utf8"));
  await server.run(`alter role studio_worker login password '${workerPassword}'`);
  const sql = postgres(server.url, { max: 2, onnotice: () => undefined });
  const as = async (statement: string, parameters: (string | number | null)[]) =>
    sql.begin(async (transaction) => {
      await transaction.unsafe("select set_config('request.jwt.claim.sub', $1, true)", [owner]);
      return transaction.unsafe<Record<string, unknown>[]>(statement, parameters);
    });
  const text = JSON.stringify(document);
  await sql.unsafe("insert into auth.users (id) values ($1)", [owner]);
  await sql.unsafe(
    "insert into public.studio_workflows (id, owner, name, document) values ($1, $2, $3, $4::text::jsonb)",
    [document.id, owner, document.name, text],
  );
  await as("select public.studio_publish($1, $2::text::jsonb, '{}', $3, '[]', $4, '', 1, 'live')", [
    document.id,
    text,
    "0".repeat(64),
    document.name,
  ]);
  return {
    /** What a worker connects with: a role that can do nothing else. */
    workerUrl: server.urlOf("studio_worker", workerPassword),
    async rows(statement: string, ...parameters: (string | number)[]) {
      return [...(await sql.unsafe<Record<string, unknown>[]>(statement, parameters))];
    },
    async start(input: JsonObject): Promise<string> {
      const [row] = await as("select public.studio_start_run($1, 'live', $2::text::jsonb) ->> 'id' as id", [
        document.id,
        JSON.stringify(input),
      ]);
      return String(row?.["id"]);
    },
    async stop() {
      await sql.end({ timeout: 1 });
      await server.stop();
    },
  };
}
