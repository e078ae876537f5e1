import { z } from "zod/mini";
import type { Host } from "../../../engine/host.ts";
import type { RunScope } from "../../../engine/run/run-scope.ts";
import { type SqlErrorType, sqlResultSchema, type TableDescription, tableDescriptionSchema } from "./sql-result.ts";

/** A table that a model may be told of. */
export type TableHint = TableDescription;

/** Characters that hints may add to a tool's description. */
const longestHints = 6_000;
/** Milliseconds for asking the database; a slow one costs a run its hints, not its start. */
const describeMs = 5_000;

const tableList = z.array(tableDescriptionSchema);

/** Whose hints: a credential's, as seen by a role. */
interface HintSource {
  credential: string;
  role: string;
}

/** What the tools of one run share. */
interface HintContext {
  host: Host;
  signal: AbortSignal;
  run: { scope: Pick<RunScope, "answers"> };
  log(level: "warn", message: string): void;
}

/**
 * The tables that the credential lets tools tell the model; none when its schema hints are off. Asked once per run. Never
 * rejects: a database that cannot be asked is logged, since the first call will say more.
 */
export async function schemaHints(context: HintContext, source: HintSource): Promise<readonly TableHint[]> {
  const { answers } = context.run.scope;
  const question = JSON.stringify(["tables", source.credential, source.role]);
  const asked = answers.get(question) ?? askForTables(context, source);
  answers.set(question, asked);
  return tableList.parse(await asked);
}

async function askForTables(
  { host, signal, log }: HintContext,
  { credential, role }: HintSource,
): Promise<readonly TableHint[]> {
  const request = {
    operation: "describe",
    credential,
    timeoutMs: describeMs,
    ...(role === "" ? {} : { role }),
  };
  try {
    const answer = await host.callFunction("sql-tool", request, { signal });
    const result = answer.ok ? sqlResultSchema.safeParse(answer.body).data : undefined;
    if (result?.operation === "describe" && result.success) return result.tables.filter(isPlain);
    // Switched off, which is the usual case and no trouble: the function says so without asking the database.
    if (result?.success === false && result.sqlState === null && isRefusal(result.errorType)) return [];
    const reason = result?.success === false ? result.error : answer.ok ? "" : answer.error.message;
    log("warn", `The tables could not be listed for the model. ${reason}`.trim());
  } catch {
    // Only an aborted run ends here.
  }
  return [];
}

function isRefusal(errorType: SqlErrorType): boolean {
  return errorType === "permission_denied" || errorType === "rejected";
}

/** Names go into the model's instructions: those that could hold more than a name are left out. */
function isPlain({ table, columns }: TableHint): boolean {
  return [table, ...columns.map((column) => column.name)].every((name) => /^[\p{L}\p{N}_$ ."-]{1,200}$/u.test(name));
}

/** The columns of a table, or none where it is not known. */
export function columnNames(table: TableHint | undefined): string[] {
  return table?.columns.map((column) => column.name) ?? [];
}

/** The hint of a table by the name that an author wrote. */
export function findTable(hints: readonly TableHint[], name: string): TableHint | undefined {
  const plain = (text: string) => text.replace(/^public\./, "").replaceAll('"', "");
  return hints.find((hint) => plain(hint.table) === plain(name.trim()));
}

const shortTypes: readonly [RegExp, string][] = [
  [/^timestamp with time zone/, "timestamptz"],
  [/^timestamp without time zone/, "timestamp"],
  [/^character varying/, "varchar"],
  [/^double precision/, "float8"],
];

function columnWords({ name, type, nullable, primaryKey }: TableHint["columns"][number]): string {
  const short = shortTypes.reduce((text, [long, word]) => text.replace(long, word), type);
  return `${name} ${short}${primaryKey ? " primary key" : nullable ? "" : " not null"}`;
}

/** Tables and columns in words for a tool's description, one table a line; empty when there is nothing to say. */
export function hintWords(tables: readonly TableHint[]): string {
  if (tables.length === 0) return "";
  const lines: string[] = [];
  let left = longestHints;
  for (const { table, kind, columns } of tables) {
    const line = `${table}${kind === "view" ? " (view)" : ""}: ${columns.map(columnWords).join(", ")}`;
    const kept = line.length <= left ? line : table;
    if (kept.length > left) return `${lines.join("\n")}\nand ${tables.length - lines.length} more tables`;
    lines.push(kept);
    left -= kept.length + 1;
  }
  return lines.join("\n");
}
