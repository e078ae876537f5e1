import type { PostgresConnection } from "./open-postgres.ts";
import { Rejection } from "./rejection.ts";
import { statementFunctions, types } from "./safe-names.ts";
import type { StatementNames } from "./statement-names.ts";
import type { Sql } from "./sql-text.ts";

interface Refusal {
  error: string;
  suggestion: string;
}

const calledByDot: Refusal = {
  error: "A name after a dot calls a function of the database, which is not allowed.",
  suggestion: "Use columns of the table only.",
};

/** Casts have no name in a statement: any value may be turned on its way. */
type Kind = keyof StatementNames | "casts";

const refusals: Readonly<Record<Kind, Refusal>> = {
  casts: {
    error: "The database turns values by functions of its own that run with another role's rights.",
    suggestion: "Use the tools that select and change rows, or ask the database's owner to make those functions plain.",
  },
  functions: {
    error: "The database has a function of its own under the name of one that the statement calls.",
    suggestion: "Write pg_catalog. before the function's name, such as pg_catalog.lower(name).",
  },
  operators: {
    error: "The database has an operator of its own under the name of one that the statement uses.",
    suggestion: "Leave that operator out, or use the tools that select and change rows.",
  },
  ofRows: calledByDot,
  ofValues: calledByDot,
  types: {
    error: "The database has a type of its own under the name of one that the statement uses.",
    suggestion: "Use types of Postgres, such as text, in small letters and without quotes.",
  },
  tables: {
    error: "A table's name without a schema leads to a table that is not in the schema public.",
    suggestion: "Write the schema before the table's name, such as extensions.places.",
  },
};

/** Functions of Postgres itself that turn or measure a value and nothing else. */
const harmless = [...statementFunctions, ...types];

/** One value is enough to call it; what else it takes has a default or is a list. */
const takesOneValue = "p.pronargs >= 1 and p.pronargs - p.pronargdefaults <= 1";

const ownFunctions = [
  "from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace",
  "left join pg_catalog.pg_type t on t.oid = p.proargtypes[0]",
  "where pg_catalog.pg_function_is_visible(p.oid)",
].join(" ");

const ownOperators = [
  "from pg_catalog.pg_operator o join pg_catalog.pg_proc p on p.oid = o.oprcode",
  "join pg_catalog.pg_namespace n on n.oid = o.oprnamespace",
  "where pg_catalog.pg_operator_is_visible(o.oid) and (p.prosecdef or p.provolatile = 'v')",
].join(" ");

/** What extensions bring under a listed name is as trusted as they are. */
const ofNoExtension = (catalog: string, id: string): string =>
  `not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.${catalog}'::pg_catalog.regclass` +
  ` and d.objid = ${id} and d.deptype = 'e')`;

const questions: Readonly<Record<keyof StatementNames, Sql>> = {
  functions: [`${ownFunctions} and n.nspname <> 'pg_catalog' and ${ofNoExtension("pg_proc", "p.oid")} and p.proname`],
  operators: [
    `${ownOperators} and n.nspname <> 'pg_catalog' and ${ofNoExtension("pg_operator", "o.oid")} and o.oprname`,
  ],
  ofRows: [
    `${ownFunctions} and n.nspname <> 'pg_catalog' and ${takesOneValue}`,
    " and (t.typtype in ('c', 'd', 'p') or p.provariadic <> 0) and p.proname",
  ],
  ofValues: [
    `${ownFunctions} and ${takesOneValue} and not (n.nspname = 'pg_catalog' and (p.provolatile = 'i' or p.proname::text = any(`,
    { bind: harmless },
    "::text[]))) and p.proname",
  ],
  // A domain runs the checks that its maker wrote.
  types: [
    "from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace",
    ` where pg_catalog.pg_type_is_visible(t.oid) and n.nspname <> 'pg_catalog' and ${ofNoExtension("pg_type", "t.oid")}`,
    " and t.typname",
  ],
  // Which tables a credential allows is decided by names that mean the schema public.
  tables: [
    "from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace",
    " where pg_catalog.pg_table_is_visible(c.oid) and n.nspname <> 'public' and c.relname",
  ],
};

const ownCasts: Sql = [
  "select 'casts' as kind from pg_catalog.pg_cast c join pg_catalog.pg_proc p on p.oid = c.castfunc ",
  `where p.prosecdef and ${ofNoExtension("pg_proc", "p.oid")}`,
];

const kinds = [
  "functions",
  "operators",
  "ofRows",
  "ofValues",
  "types",
  "tables",
] as const satisfies readonly (keyof StatementNames)[];

/**
 * Refuses names that lead to code of the database. Which code a name means depends on types and on what the database has,
 * which the parser cannot tell, so the database is asked within the transaction that the statement then runs in:
 * a listed function may have a namesake for other types; where a row has no column `f`, Postgres reads `row.f` as `f(row)`,
 * and `(value).f` as `f(value)` with any function at all, `pg_read_file` and `ts_stat` among them.
 */
export async function refuseOwnCode(connection: PostgresConnection, names: StatementNames): Promise<void> {
  await refuse(connection, names, ownCasts);
}

/** Types that a condition names without a schema as they come with extensions, so that the database may have others. */
const typesOfExtensions = /\)::(citext|vector|halfvec)\b/g;

/** The same for a condition that was written anew, in which only such types are looked up by name. */
export async function refuseOwnTypes(connection: PostgresConnection, condition: Sql): Promise<void> {
  const text = condition.filter((piece) => typeof piece === "string").join("");
  const types = [...text.matchAll(typesOfExtensions)].flatMap(([, name]) => name ?? []);
  if (types.length > 0) await refuse(connection, { types }, ["select 'none' as kind where false"]);
}

async function refuse(connection: PostgresConnection, names: Partial<StatementNames>, first: Sql): Promise<void> {
  const asked = kinds.filter((kind) => (names[kind] ?? []).length > 0);
  const sql = asked.flatMap((kind): Sql => [
    ` union all select '${kind}' as kind `,
    ...questions[kind],
    "::text = any(",
    { bind: [...(names[kind] ?? [])] },
    "::text[])",
  ]);
  const { rows } = await connection.query([...first, ...sql, " limit 1"], { limit: 1 });
  const kind = rows.rows[0]?.["kind"];
  const found: Kind | undefined = kind === "casts" ? kind : kinds.find((one) => one === kind);
  if (found === undefined) return;
  throw new Rejection(refusals[found].error, refusals[found].suggestion);
}
