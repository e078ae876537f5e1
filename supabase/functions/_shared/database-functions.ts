/** Whatever runs a query. */
interface Querying {
  query<Row>(sql: string, parameters: []): Promise<{ rows: Row[] }>;
}

/** A function of the database that can be called with its arguments as one JSON object. */
export interface DirectFunction {
  /** SQL types by the names of its arguments. */
  arguments: ReadonlyMap<string, string>;
  /** Its one row has the answer as JSON text. `source`: the SQL of the JSON; by default the statement's parameter. */
  statement(given: readonly string[], source?: string): string;
  returnsVoid: boolean;
}

interface FunctionRow {
  name: string;
  returns_void: boolean;
  returns_rows: boolean;
  names: string[] | null;
  types: string[];
}

/** Most rows of an answer: what the API library is told, too. */
export const mostRows = 1_000;

/** Functions in the schema `public` that are called by name, with arguments that all have names. Sets of single values are left out. */
export async function readDirectFunctions(session: Querying): Promise<ReadonlyMap<string, DirectFunction>> {
  const { rows } = await session.query<FunctionRow>(
    `select min(found.proname::text) as name, bool_or(found.prorettype = 'void'::regtype) as returns_void,
            bool_or(found.proretset) as returns_rows,
            min(found.proargnames[1:found.pronargs]) as names,
            coalesce(min((select array_agg(format_type(type, null) order by place)
                          from unnest(found.proargtypes) with ordinality as given (type, place))), '{}') as types
     from pg_catalog.pg_proc as found join pg_catalog.pg_type as returned on returned.oid = found.prorettype
     where found.pronamespace = 'public'::regnamespace and found.prokind = 'f' and found.provariadic = 0
     group by found.proname
     having count(*) = 1
        and bool_and(found.proargmodes is null or found.proargmodes <@ array['i', 't']::"char"[])
        and bool_and(not found.proretset or returned.typtype = 'c' or found.prorettype = 'record'::regtype)`,
    [],
  );
  const functions = new Map<string, DirectFunction>();
  for (const row of rows) {
    const named = new Map((row.names ?? []).map((one, index) => [one, row.types[index] ?? ""]));
    if (named.size !== row.types.length || named.has("")) continue;
    functions.set(row.name, {
      arguments: named,
      statement: (given, source = "$1") => statementOf(row, named, given, source),
      returnsVoid: row.returns_void,
    });
  }
  return functions;
}

function statementOf(
  row: FunctionRow,
  types: ReadonlyMap<string, string>,
  given: readonly string[],
  json: string,
): string {
  const columns = given.map((one) => `"${one}" ${types.get(one)}`).join(", ");
  const source =
    given.length > 0 ? `json_to_record((${json})::json) as given(${columns})` : `(select (${json})::json) as given`;
  const call = `public."${row.name}"(${given.map((one) => `"${one}" => given."${one}"`).join(", ")})`;
  if (row.returns_void) return `select ${call}::text as answer from ${source}`;
  if (!row.returns_rows) return `select to_json(${call})::text as answer from ${source}`;
  return `select coalesce(json_agg(found), '[]')::text as answer
          from (select found.* from ${source}, lateral ${call} as found limit ${mostRows}) as found`;
}
