import type { SqlSession } from "../../supabase/local/database/sql-session.ts";
import { code, plain, table } from "../reference/markdown.ts";
import type { FunctionFile } from "./function-files.ts";

interface Table {
  name: string;
  columns: { name: string; type: string; required: boolean; default: string | null; generated: boolean }[];
  /** Primary key, unique and foreign keys. Checks stand in the migrations. */
  keys: string[];
  indices: string[];
  triggers: { name: string; function: string }[];
  policies: { verb: string; using: string | null; check: string | null }[];
  /** Columns that signed-in users may change. */
  changeable: string[];
}

const note = "<!-- Made by `npm run schema` from the migrations. Change those, not this page. -->";
const ownRows = "(owner = ( SELECT auth.uid() AS uid))";

/**
 * The page of a database to which all migrations are applied: tables with their columns, rights, indices and triggers, and
 * functions with who may call them, by subject. `subjects`: the subject of each table, by its name with its schema.
 * Throws for a table of no subject.
 */
export async function schemaPage(
  session: SqlSession,
  files: readonly FunctionFile[],
  subjects: ReadonlyMap<string, string>,
): Promise<string> {
  const { rows: tables } = await session.query<Table>(tablesQuery);
  const lost = tables.find(({ name }) => !subjects.has(name));
  if (lost) throw new Error(`No migration creates ${lost.name} under a subject.`);
  const names = [...new Set([...subjects.values(), ...files.map(({ subject }) => subject)])];
  const parts = names.map((subject) => {
    const own = tables.filter(({ name }) => subjects.get(name) === subject);
    const functions = files.filter((file) => file.subject === subject);
    return [`## ${subject.replaceAll("_", " ")}`, ...own.map(tableText), functionsText(functions)].join("\n\n");
  });
  return `${note}\n\n# The schema\n\n${parts.join("\n\n")}\n`;
}

function tableText(item: Table): string {
  const columns = item.columns.map(({ name, type, required, default: value, generated }) => [
    code(name),
    code(type),
    required ? "required" : "",
    value === null ? "" : `${generated ? "made of " : ""}${code(value)}`,
  ]);
  const lists = [
    ["Rights", rightsOf(item)],
    ["Keys", item.keys.map(code)],
    ["Indices", item.indices.map(code)],
    ["Triggers", item.triggers.map((trigger) => `${code(trigger.name)} → ${code(trigger.function)}`)],
  ] as const;
  const text = lists
    .filter(([, entries]) => entries.length > 0)
    .map(([title, entries]) =>
      entries.length === 1
        ? `${title}: ${entries[0]}`
        : `${title}:\n\n${entries.map((entry) => `- ${entry}`).join("\n")}`,
    );
  return [`### ${code(item.name)}`, table(["Column", "Type", "", "Default"], columns), ...text].join("\n\n");
}

function rightsOf({ name, policies, changeable }: Table): string[] {
  if (name.startsWith("private.")) return ["functions only"];
  return policies.map(({ verb, using, check }) => {
    const rules = [using, check].filter((rule) => rule !== null && rule !== ownRows);
    const of = verb === "update" ? ` of ${changeable.map(code).join(", ")}` : "";
    return `${verb}${of}: ${rules.length === 0 ? "own rows" : rules.map((rule) => code(rule ?? "")).join(" and ")}`;
  });
}

function functionsText(files: readonly FunctionFile[]): string {
  const rows = files.map(({ signature, callers, summary }) => [
    code(signature),
    callers.length === 0 ? "functions" : callers.join(", "),
    plain(summary.split(/(?<=[.;]) /)[0] ?? ""),
  ]);
  return table(["Function", "Called by", ""], rows);
}

const tablesQuery = `
  select namespaces.nspname || '.' || tables.relname as name,
    (select jsonb_agg(jsonb_build_object(
        'name', columns.attname, 'type', format_type(columns.atttypid, columns.atttypmod), 'required', columns.attnotnull,
        'default', case when columns.attidentity <> '' then 'identity' else pg_get_expr(defaults.adbin, defaults.adrelid) end,
        'generated', columns.attgenerated <> '') order by columns.attnum)
      from pg_attribute as columns
      left join pg_attrdef as defaults on defaults.adrelid = columns.attrelid and defaults.adnum = columns.attnum
      where columns.attrelid = tables.oid and columns.attnum > 0 and not columns.attisdropped) as columns,
    coalesce((select jsonb_agg(pg_get_constraintdef(oid) order by contype, conname) from pg_constraint
      where conrelid = tables.oid and contype in ('p', 'u', 'f')), '[]') as keys,
    coalesce((select jsonb_agg(pg_get_indexdef(indexrelid) order by indexrelid::regclass::text) from pg_index
      where indrelid = tables.oid and not exists (select from pg_constraint where conindid = indexrelid)), '[]') as indices,
    coalesce((select jsonb_agg(jsonb_build_object('name', tgname, 'function', tgfoid::regproc) order by tgname) from pg_trigger
      where tgrelid = tables.oid and not tgisinternal), '[]') as triggers,
    coalesce((select jsonb_agg(jsonb_build_object('verb', lower(cmd), 'using', qual, 'check', with_check) order by cmd)
      from pg_policies where schemaname = namespaces.nspname and tablename = tables.relname), '[]') as policies,
    coalesce((select jsonb_agg(columns.attname order by columns.attnum) from pg_attribute as columns
      where columns.attrelid = tables.oid and columns.attnum > 0
        and has_column_privilege('authenticated', tables.oid, columns.attnum, 'update')), '[]') as changeable
  from pg_class as tables join pg_namespace as namespaces on namespaces.oid = tables.relnamespace
  where namespaces.nspname in ('public', 'private') and tables.relkind in ('r', 'p') and not tables.relispartition
    and not exists (select from pg_depend where objid = tables.oid and deptype = 'e')
  order by 1`;
