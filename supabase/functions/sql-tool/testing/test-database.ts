import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../../src/engine/json.ts";
import type {
  SqlFailure,
  SqlReadResult,
  SqlResult,
  SqlWriteResult,
} from "../../../../src/nodes/tools/postgres/sql-result.ts";
import { sqlResultSchema } from "../../../../src/nodes/tools/postgres/sql-result.ts";
import { success, type Failure } from "../../_shared/failure.ts";
import { startPostgresServer, type PostgresServer } from "../../_shared/testing/postgres-server.ts";
import { sqlTool, type SqlToolDependencies } from "../sql-tool.ts";

/** The password of the role that owns the tables, of the one that only reads them, and so on. */
export const testPassword = "test-key-sql-0123456789abcdef";

const setup = `
  create role keeper login password '${testPassword}';
  create role reader login password '${testPassword}';
  create role auditor;
  grant auditor to keeper;
  grant create, usage on schema public to keeper;
  create schema sales authorization keeper;
  set role keeper;
  create type mood as enum ('happy', 'sad');
  create table public.orders (
    id integer primary key, status text not null default 'open', total numeric(12, 2), note text,
    created_at timestamptz not null default '2024-01-01T00:00:00Z'
  );
  insert into orders select n, case when n % 2 = 0 then 'open' else 'paid' end, n * 1.5, 'note ' || n from generate_series(1, 300) n;
  create table public.customers (id integer primary key, email text unique, age integer check (age >= 0), manager integer references customers);
  create table public.secrets (id integer, value text);
  insert into secrets values (1, 'canary-of-another-table');
  create table sales."Odd ""Name""" ("a.b" integer, "select" text, plain text);
  create table public.kinds (
    big bigint, num numeric, flt float8, bool boolean, day date, at timestamp, zoned timestamptz, span interval, bytes bytea,
    doc jsonb, raw json, words text[], numbers integer[], docs jsonb[], feeling mood, feelings mood[], key uuid
  );
  create table public.nokey (a integer, b text);
  insert into nokey values (1, 'x'), (2, 'y');
  create function public.evil() returns integer language sql security definer as 'delete from public.secrets; select 1';
  grant select on orders, customers, kinds to reader;
  grant select on secrets to auditor;
`;

export type TestDatabase = PostgresServer & {
  /** Calls the tool as its owner, or as another role. */
  call(request: object, options?: CallOptions): Promise<SqlResult>;
  read(request: object, options?: CallOptions): Promise<SqlReadResult>;
  write(request: object, options?: CallOptions): Promise<SqlWriteResult>;
  fail(request: object, options?: CallOptions): Promise<SqlFailure>;
  /** A failure that is no result: of the request, the credential or the way out. */
  refuse(request: object, options?: CallOptions): Promise<Failure>;
};

export type CallOptions = Partial<SqlToolDependencies> & {
  user?: "keeper" | "reader";
  settings?: JsonObject;
  connectionString?: string;
  allowedHosts?: readonly string[];
  tls?: boolean;
};

/** A PostgreSQL with tables of a small shop, and the tool on it as if through a stored credential. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const server = await startPostgresServer({ setup });
  const outcome = (request: object, options: CallOptions = {}) => {
    const { user = "keeper", settings = {}, tls = false, allowedHosts, connectionString, ...dependencies } = options;
    const text = connectionString ?? server.urlOf(user, testPassword);
    return sqlTool(
      { credential: randomBytes(4).toString("hex"), ...request },
      {
        policy: { allowHosts: [], allowLoopback: true },
        findCredential: async () =>
          success({
            type: "postgres",
            allowedHosts: allowedHosts ?? [new URL(text).host],
            settings,
            open: async () => success({ type: "postgres", fields: { connectionString: text, tls } }),
          }),
        ...dependencies,
      },
    );
  };
  const call = async (request: object, options?: CallOptions): Promise<SqlResult> => {
    const answer = await outcome(request, options);
    if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer.error)}`);
    // As it goes over the wire, and as the nodes read it.
    return sqlResultSchema.parse(JSON.parse(JSON.stringify(answer.value)));
  };
  return {
    ...server,
    call,
    async read(request, options) {
      const result = await call(request, options);
      if (result.success && "rowCount" in result) return result;
      throw new Error(`not read: ${JSON.stringify(result)}`);
    },
    async write(request, options) {
      const result = await call(request, options);
      if (result.success && "affectedRows" in result) return result;
      throw new Error(`not written: ${JSON.stringify(result)}`);
    },
    async fail(request, options) {
      const result = await call(request, options);
      if (!result.success) return result;
      throw new Error(`did not fail: ${JSON.stringify(result)}`);
    },
    async refuse(request, options) {
      const answer = await outcome(request, options);
      if (!answer.ok) return answer.error;
      throw new Error(`was not refused: ${JSON.stringify(answer.value)}`);
    },
  };
}
