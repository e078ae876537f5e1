import { type Fields, isSyntaxNode, listOf, openNode, stringOf } from "./syntax-node.ts";
import { readTable, type TableName } from "./table-name.ts";

/**
 * A column that a subquery of a condition names without a table. Where none of the subquery's own tables has it, Postgres
 * takes it from the table that the statement changes: `id in (select id from t)` then compares each row with itself.
 */
export interface SubqueryColumn {
  name: string;
  tables: readonly TableName[];
}

/** What a subquery reads from: tables, names that are known otherwise, and whether there may be others. */
interface Source {
  tables: TableName[];
  names: Set<string>;
  isOpen: boolean;
}

/** Columns by the name that WITH gives; undefined where they cannot be told from the text. */
type Named = ReadonlyMap<string, readonly string[] | undefined>;

interface Place {
  sources: readonly Source[];
  named: Named;
  found: SubqueryColumn[];
}

/** The columns of all subqueries in a condition, or in several, whose tables decide what they mean. */
export function subqueryColumns(conditions: readonly unknown[], withClause: unknown): SubqueryColumn[] {
  const found: SubqueryColumn[] = [];
  const named = namedBy(withClause, new Map());
  for (const condition of conditions) walk(condition, { sources: [], named, found });
  return found;
}

function walk(node: unknown, place: Place): void {
  if (Array.isArray(node)) for (const item of node) walk(item, place);
  if (!isSyntaxNode(node)) return;
  for (const [kind, fields] of Object.entries(node)) {
    if (kind === "SelectStmt" && isSyntaxNode(fields)) select(fields, place);
    else if (kind === "ColumnRef" && isSyntaxNode(fields)) column(fields, place);
    else walk(fields, place);
  }
}

function column(fields: Fields, { sources, found }: Place): void {
  const [name, ...more] = listOf(fields["fields"]).map(stringOf);
  // Outside of subqueries a name can only mean the statement's own tables.
  if (sources.length === 0 || name === undefined || more.length > 0) return;
  if (sources.some(({ isOpen, names }) => isOpen || names.has(name))) return;
  found.push({ name, tables: sources.flatMap(({ tables }) => tables) });
}

function select(fields: Fields, outer: Place): void {
  const place = { ...outer, named: namedBy(fields["withClause"], outer.named) };
  for (const cte of ctesOf(fields["withClause"])) walk(cte["ctequery"], place);
  for (const side of ["larg", "rarg"]) {
    const part = fields[side];
    if (isSyntaxNode(part)) select(part, place);
  }
  const source: Source = { tables: [], names: new Set(), isOpen: false };
  const inner = { ...place, sources: [...place.sources, source] };
  for (const item of listOf(fields["fromClause"])) read(item, source, place, inner);
  const parts = ["targetList", "whereClause", "havingClause", "valuesLists", "distinctClause", "windowClause"];
  for (const part of [...parts, "limitOffset", "limitCount"]) walk(fields[part], inner);
  // These may also mean what the subquery gives back.
  const given = outputsOf({ SelectStmt: fields });
  const results: Source = { tables: [], names: new Set(given), isOpen: given === undefined };
  for (const part of ["groupClause", "sortClause"]) {
    walk(fields[part], { ...inner, sources: [...inner.sources, results] });
  }
}

/** Adds what one item of FROM brings. `outer` is where a subquery in it looks for names, `inner` where a lateral one does. */
function read(node: unknown, source: Source, outer: Place, inner: Place): void {
  const { kind, fields } = openNode(node);
  const alias = isSyntaxNode(fields["alias"]) ? fields["alias"] : {};
  if (typeof alias["aliasname"] === "string") source.names.add(alias["aliasname"]);
  const renamed = listOf(alias["colnames"]).flatMap((name) => stringOf(name) ?? []);
  for (const name of renamed) source.names.add(name);
  const add = (names: readonly string[] | undefined): void => {
    if (names === undefined) source.isOpen = true;
    // Only those behind the renamed ones keep their names.
    else for (const name of names.slice(renamed.length)) source.names.add(name);
  };
  switch (kind) {
    case "RangeVar": {
      const name = String(fields["relname"]);
      source.names.add(name);
      if (fields["schemaname"] === undefined && outer.named.has(name)) return add(outer.named.get(name));
      if (renamed.length > 0) source.isOpen = true;
      return void source.tables.push(readTable(fields));
    }
    case "RangeSubselect":
      walk(fields["subquery"], fields["lateral"] === true ? inner : outer);
      return add(outputsOf(fields["subquery"]));
    case "JoinExpr":
      for (const side of ["larg", "rarg"]) read(fields[side], source, outer, inner);
      return walk(fields["quals"], inner);
    default:
      // A function's columns are known to the database alone.
      source.isOpen = true;
      walk(fields, inner);
  }
}

function ctesOf(withClause: unknown): Fields[] {
  return isSyntaxNode(withClause) ? listOf(withClause["ctes"]).map((cte) => openNode(cte).fields) : [];
}

function namedBy(withClause: unknown, outer: Named): Named {
  const named = new Map(outer);
  for (const cte of ctesOf(withClause)) {
    const renamed = listOf(cte["aliascolnames"]).flatMap((name) => stringOf(name) ?? []);
    const outputs = outputsOf(cte["ctequery"]);
    const columns = outputs === undefined ? undefined : [...renamed, ...outputs.slice(renamed.length)];
    named.set(String(cte["ctename"]), columns);
  }
  return named;
}

/** The names of what a query gives back; undefined where its text does not tell all of them. */
function outputsOf(query: unknown): string[] | undefined {
  const { kind, fields } = openNode(query);
  if (kind !== "SelectStmt") return outputs(listOf(fields["returningList"]));
  if (isSyntaxNode(fields["larg"])) return outputsOf({ SelectStmt: fields["larg"] });
  const [row] = listOf(fields["valuesLists"]);
  if (row !== undefined) return listOf(openNode(row).fields["items"]).map((_value, index) => `column${index + 1}`);
  return outputs(listOf(fields["targetList"]));
}

function outputs(targets: readonly unknown[]): string[] | undefined {
  const names = targets.map((target) => {
    const { fields } = openNode(target);
    if (typeof fields["name"] === "string") return fields["name"];
    const { kind, fields: value } = openNode(fields["val"]);
    const path = kind === "ColumnRef" ? value["fields"] : kind === "FuncCall" ? value["funcname"] : [];
    return stringOf(listOf(path).at(-1));
  });
  return names.every((name) => name !== undefined) ? names : undefined;
}
