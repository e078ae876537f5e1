import type { SqlSession } from "../../supabase/local/database/sql-session.ts";

interface Table {
  name: string;
  columns: { name: string; type: string; required: boolean; filled: boolean; generated: boolean }[];
}

interface DatabaseFunction {
  name: string;
  parameters: { name: string; type: string; optional: boolean }[];
  /** Columns of the rows that it returns; null for one value. */
  columns: { name: string; type: string }[] | null;
  type: string;
  many: boolean;
}

const note = "// Made by `npm run schema` from the migrations. Change those, not this file.";

/**
 * The types of what the API shows of a database to which all migrations are applied, in the form in which supabase-js takes
 * them. Postgres does not say which column of a function's rows may be null, so these are never null here.
 */
export async function databaseTypes(session: SqlSession): Promise<string> {
  const { rows: tables } = await session.query<Table>(tablesQuery);
  const { rows: functions } = await session.query<DatabaseFunction>(functionsQuery);
  return [
    `${note}\nimport type { Json } from "../../../engine/json.ts";\n`,
    "export interface DatabaseTypes {\n  public: {",
    `    Tables: {\n${tables.map(tableText).join("\n")}\n    };`,
    "    Views: Record<never, never>;",
    `    Functions: {\n${functions.map(functionText).join("\n")}\n    };`,
    "  };\n}\n",
  ].join("\n");
}

function tableText({ name, columns }: Table): string {
  const written = columns.filter(({ generated }) => !generated);
  const rows = {
    Row: columns.map(({ name, type, required }) => field(name, orNull(read(type), !required))),
    Insert: written.map(({ name, type, required, filled }) =>
      field(name, orNull(sent(type), !required), filled || !required),
    ),
  };
  const parts = [
    ...Object.entries(rows).map(([kind, fields]) => `        ${kind}: {${fields.join("")}\n        };`),
    `        Update: Partial<DatabaseTypes["public"]["Tables"]["${name}"]["Insert"]>;`,
    "        Relationships: [];",
  ];
  return `      ${name}: {\n${parts.join("\n")}\n      };`;
}

function functionText({ name, parameters, columns, type, many }: DatabaseFunction): string {
  const taken = parameters.map((parameter) =>
    field(parameter.name, orNull(sent(parameter.type), true), parameter.optional),
  );
  const fields = columns?.map((column) => field(column.name, read(column.type)));
  const row = fields ? `{${fields.join("")}\n        }` : read(type);
  const given = type === "void" ? "undefined" : `${row}${many ? "[]" : ""}`;
  const args = taken.length === 0 ? "Record<never, never>" : `{${taken.join("")}\n        }`;
  return `      ${name}: {\n        Args: ${args};\n        Returns: ${given};\n      };`;
}

const field = (name: string, type: string, optional = false) => `\n          ${name}${optional ? "?" : ""}: ${type};`;

const orNull = (type: string, mayBeNull: boolean) => (mayBeNull && type !== "unknown" ? `${type} | null` : type);

/** How PostgREST writes a type of Postgres as JSON. */
function read(type: string): string {
  if (type.endsWith("[]")) return `${read(type.slice(0, -2))}[]`;
  if (/^(smallint|integer|bigint|real|double precision|numeric)\b/.test(type)) return "number";
  if (type === "boolean") return "boolean";
  if (type === "json" || type === "jsonb") return "Json";
  return "string";
}

/** What may be sent for it: an interface does not count as a `Json`, though it is written as one. */
function sent(type: string): string {
  const given = read(type);
  if (given === "Json") return "unknown";
  return given.endsWith("[]") ? `readonly ${given}` : given;
}

const tablesQuery = `
  select tables.relname as name,
    jsonb_agg(jsonb_build_object(
      'name', columns.attname, 'type', format_type(columns.atttypid, columns.atttypmod), 'required', columns.attnotnull,
      'filled', columns.atthasdef or columns.attidentity <> '', 'generated', columns.attgenerated <> '')
      order by columns.attnum) as columns
  from pg_class as tables join pg_attribute as columns on columns.attrelid = tables.oid
  where tables.relnamespace = 'public'::regnamespace and tables.relkind in ('r', 'p')
    and columns.attnum > 0 and not columns.attisdropped
    and not exists (select from pg_depend where objid = tables.oid and deptype = 'e')
  group by 1 order by 1`;

/** Those that a signed-in person may call. */
const functionsQuery = `
  select proname as name, proretset as many, format_type(prorettype, null) as type,
    coalesce((select jsonb_agg(jsonb_build_object(
        'name', proargnames[place], 'type', format_type(given.type, null), 'optional', place > pronargs - pronargdefaults)
        order by place)
      from unnest(proargtypes) with ordinality as given (type, place)), '[]') as parameters,
    coalesce(
      (select jsonb_agg(jsonb_build_object('name', proargnames[place], 'type', format_type(given.type, null)) order by place)
        from unnest(proallargtypes) with ordinality as given (type, place) where proargmodes[place] in ('t', 'o')),
      (select jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute join pg_class on pg_class.oid = attrelid
        where pg_class.reltype = prorettype and attnum > 0 and not attisdropped)) as columns
  from pg_proc
  where pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', pg_proc.oid, 'execute')
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    and prorettype <> 'trigger'::regtype
  order by 1`;
