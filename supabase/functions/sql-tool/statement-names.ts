import { operatorOf, typeName } from "./compile-scalar.ts";
import { Rejection } from "./rejection.ts";
import { statementFunctions, valueFunctions } from "./safe-names.ts";
import { type Fields, isSyntaxNode, listOf, namesOf, notAllowed, openNode, stringOf } from "./syntax-node.ts";

/** Names in a statement of which only the database knows whether they lead to code of its own. */
export interface StatementNames {
  /** Functions that it calls without a schema. */
  functions: readonly string[];
  /** Operators that it uses, also those that its words stand for: IN, BETWEEN, CASE with a value, USING and NATURAL. */
  operators: readonly string[];
  /** Names after the dot of a row, such as `orders.total`: columns or, where there is no such column, functions of the row. */
  ofRows: readonly string[];
  /** Names after the dot of any other value, such as `(note).x`: fields or functions of it. */
  ofValues: readonly string[];
  /** Types that values are turned into, without a schema; in the letters of the statement, as quotes keep them. */
  types: readonly string[];
  /** Tables without a schema. */
  tables: readonly string[];
}

/** Checks the names of a statement while its tree is walked, and collects those that the database has to be asked about. */
export class NameCheck {
  highestParameter = 0;
  readonly #functions = new Set<string>();
  readonly #operators = new Set<string>();
  readonly #values = new Set<string>();
  readonly #types = new Set<string>();
  readonly #tables = new Set<string>();
  readonly #columns: { qualifier: string; name: string }[] = [];
  /** What functions in FROM are called there: their rows may be plain values. */
  readonly #sources = new Set<string>();
  #hasNamelessSource = false;

  /** Throws a Rejection for a function, operator, type or word that is not listed. */
  check(kind: string, fields: Fields): void {
    switch (kind) {
      case "FuncCall":
        return this.#call(namesOf(fields["funcname"]) ?? []);
      case "ColumnRef":
        return this.#column(listOf(fields["fields"]).map(stringOf));
      case "A_Indirection":
        for (const name of listOf(fields["indirection"]).map(stringOf)) if (name !== undefined) this.#values.add(name);
        return;
      case "RangeFunction":
        return this.#source(fields);
      case "A_Expr":
        for (const operator of operatorsOf(fields)) this.#operators.add(operator);
        return;
      case "SubLink":
        if (fields["operName"] !== undefined) this.#operators.add(operatorOf({ name: fields["operName"] }));
        else if (fields["testexpr"] !== undefined) this.#operators.add("=");
        return;
      case "CaseExpr":
        if (fields["arg"] !== undefined) this.#operators.add("=");
        return;
      case "JoinExpr":
        if (fields["isNatural"] === true || fields["usingClause"] !== undefined) this.#operators.add("=");
        return;
      case "TypeCast":
        return this.#type(fields["typeName"]);
      case "SQLValueFunction":
        if (valueFunctions[String(fields["op"])] === undefined) throw notAllowed("This word");
        return;
      case "ParamRef":
        this.highestParameter = Math.max(this.highestParameter, Number(fields["number"] ?? 0));
        return;
    }
  }

  get names(): StatementNames {
    const isValue = ({ qualifier }: { qualifier: string }): boolean =>
      this.#hasNamelessSource || this.#sources.has(qualifier);
    const ofValues = new Set([...this.#values, ...this.#columns.filter(isValue).map(({ name }) => name)]);
    return {
      functions: [...this.#functions],
      operators: [...this.#operators],
      ofRows: [...new Set(this.#columns.map(({ name }) => name))],
      ofValues: [...ofValues],
      types: [...this.#types],
      tables: [...this.#tables],
    };
  }

  /** Notes a table that the statement names, which is none that WITH gives. */
  table({ schemaname, relname }: Fields): void {
    if (schemaname === undefined) this.#tables.add(String(relname));
  }

  #type(node: unknown): void {
    typeName(node, { sized: true });
    const names = (isSyntaxNode(node) ? namesOf(node["names"]) : undefined) ?? [];
    if (names.length === 1) for (const name of names) this.#types.add(name);
  }

  #call(names: readonly string[]): void {
    const [first, second] = names;
    const isBuiltIn = names.length === 2 && first === "pg_catalog";
    const name = isBuiltIn ? second : names.length === 1 ? first : undefined;
    if (name === undefined || !statementFunctions.has(name)) {
      throw new Rejection(
        "A function is not allowed here.",
        "Use plain functions of text, numbers, dates and JSON, and the usual aggregates.",
      );
    }
    if (!isBuiltIn) this.#functions.add(name);
  }

  #column(names: readonly (string | undefined)[]): void {
    const [qualifier, name] = names.slice(-2);
    if (names.length > 1 && qualifier !== undefined && name !== undefined) this.#columns.push({ qualifier, name });
  }

  #source(fields: Fields): void {
    const alias = isSyntaxNode(fields["alias"]) ? fields["alias"]["aliasname"] : undefined;
    if (typeof alias === "string") return void this.#sources.add(alias);
    for (const item of listOf(fields["functions"])) {
      const [call] = listOf(isSyntaxNode(item) && isSyntaxNode(item["List"]) ? item["List"]["items"] : []);
      const { kind, fields: called } = openNode(call);
      const name = kind === "FuncCall" ? namesOf(called["funcname"])?.at(-1) : undefined;
      if (name === undefined) this.#hasNamelessSource = true;
      else this.#sources.add(name);
    }
  }
}

/** Postgres looks up by name what BETWEEN stands for. */
function operatorsOf(fields: Fields): readonly string[] {
  const kind = String(fields["kind"]);
  if (kind.startsWith("AEXPR_BETWEEN")) return [">=", "<="];
  return kind.startsWith("AEXPR_NOT_BETWEEN") ? ["<", ">"] : [operatorOf(fields)];
}
