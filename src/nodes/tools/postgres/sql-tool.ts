import type { AfterCrash } from "../../../engine/document/after-crash.ts";
import type { ApprovalPolicy, Tool, ToolCallContext, ToolResult } from "../../../engine/tool/tool.ts";
import type { Host } from "../../../engine/host.ts";
import type { Json, JsonObject, JsonSchema } from "../../../engine/json.ts";
import type { RunScope } from "../../../engine/run/run-scope.ts";
import { commonTool } from "../tool-fields.ts";
import { givenValues } from "./given-values.ts";
import { modelParts, type OpenPart } from "./model-parts.ts";
import { runSql, type SqlAnswer } from "./run-sql.ts";
import { findTable, hintWords, schemaHints, type TableHint } from "./schema-hints.ts";
import type { SqlToolConfig } from "./sql-fields.ts";
import type { SqlOperation } from "./sql-request.ts";
import type { StatementShape } from "./sql-result.ts";

/** What of a node's run a Postgres tool needs. */
export interface SqlToolContext<Config> {
  config: Config;
  ai: { parameters: JsonSchema; bind(values: JsonObject): Config };
  host: Host;
  signal: AbortSignal;
  node: { config: JsonObject };
  run: { scope: Pick<RunScope, "answers"> };
  log(level: "debug" | "info" | "warn" | "error", message: string, data?: Json): void;
}

/** The request of a call without what all statements share, or why it cannot be made. */
export type SqlCall = { ok: true; request: JsonObject } | { ok: false; answer: SqlAnswer };

/** What makes one Postgres tool different from the others. */
interface SqlToolPlan<Config> {
  operation: Exclude<SqlOperation, "describe" | "test">;
  /** What the model may give; `table` is the fixed table where the database told of it, `tables` what it may choose from. */
  parts(table: TableHint | undefined, tables: readonly TableHint[]): OpenPart[];
  /** `config` holds the author's part with the model's values in it, `given` the parts that were left to the model. */
  call(config: Config, given: JsonObject): SqlCall;
  /** Whether calls change rows: they are previewed before approval, and logged. */
  writes: boolean;
  approval: ApprovalPolicy;
}

/** Makes the tool of a Postgres node: its parameters with the database's hints, its calls, and their dry run. */
export async function sqlTool<
  Config extends SqlToolConfig & { tableName?: string; dryRun?: boolean; afterCrash?: AfterCrash },
>(context: SqlToolContext<Config>, plan: SqlToolPlan<Config>): Promise<Tool> {
  const { config, ai, host, node } = context;
  const tables = await schemaHints(context, config);
  const fixed = fixedTable(node.config, config);
  const table = fixed === undefined ? undefined : findTable(tables, fixed);
  const parts = modelParts(node.config, ai.parameters, plan.parts(table, tables));

  async function send(input: JsonObject, dryRun: boolean, signal: AbortSignal): Promise<SqlAnswer> {
    const filled = ai.bind(input);
    const call = plan.call(filled, parts.given(input));
    if (!call.ok) return call.answer;
    const { credential, statementTimeoutMs, role } = filled;
    const common = {
      credential,
      timeoutMs: statementTimeoutMs,
      given: givenValues(input),
      ...(role === "" ? {} : { role }),
    };
    return runSql(host, plan.operation, { ...common, ...call.request, ...(dryRun ? { dryRun } : {}) }, signal);
  }

  async function execute(input: JsonObject, { signal, log }: ToolCallContext): Promise<ToolResult> {
    const answer = await send(input, config.dryRun === true, signal);
    logWrite(answer, log);
    return answer.result;
  }

  async function preview(input: JsonObject, { signal }: { signal: AbortSignal }): Promise<ToolResult> {
    const { result, changes } = await send(input, true, signal);
    return result.ok && changes ? { ok: true, output: changes } : result;
  }

  const words = hintWords(fixed === undefined ? tables : table ? [table] : []);
  const description =
    words === "" ? config.toolDescription : `${config.toolDescription}\n\nColumns by table:\n${words}`;
  const common = {
    ...commonTool({ ...config, approval: plan.approval }),
    description,
    parameters: parts.parameters,
    execute,
  };
  if (!plan.writes) return common;
  // A tool that never changes anything needs no agreement.
  if (config.dryRun === true) return { ...common, approval: "never" };
  return { ...common, preview, afterCrash: () => config.afterCrash };
}

/** The table that the author named, where it is known before a call. */
function fixedTable(raw: JsonObject, { tableName }: { tableName?: string }): string | undefined {
  const asked = typeof raw["tableName"] === "string" && /\bai\s*\(/.test(raw["tableName"]);
  return tableName === undefined || tableName.trim() === "" || asked ? undefined : tableName;
}

/** One line and its data for the run's log: which rows were meant, never what is in them. */
export function logWrite({ wrote }: SqlAnswer, log: ToolCallContext["log"]): void {
  if (!wrote) return;
  const { also, affectedRows, ...first } = wrote;
  const rows = affectedRows === 1 ? "1 row" : `${affectedRows} rows`;
  const words = [first, ...(also ?? [])].map(partWords).join(", ");
  const others = also?.map(partData);
  log(`${words}: ${rows}`, { ...partData(first), affectedRows, ...(others === undefined ? {} : { also: others }) });
}

type Part = Omit<StatementShape, "also">;

function partWords({ kind, table, condition }: Part): string {
  const where = condition === null ? "" : `${kind === "merge" ? " on" : " where"} ${condition}`;
  return `${kind.toUpperCase()} ${table}${where}`;
}

function partData({ kind, table, columns, condition }: Part) {
  return { statement: kind, table, columns, condition };
}
