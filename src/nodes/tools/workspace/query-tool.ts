import { z } from "zod/mini";
import type { RunContext } from "../../../engine/document/define-node.ts";
import type { Tool } from "../../../engine/tool/tool.ts";
import { firstChars } from "../../../engine/well-formed.ts";
import { nearNames } from "./near-names.ts";
import { columnsIn, queryRows, rowAggregates, rowComparisons, unknownColumn } from "./query-rows.ts";
import { readRows } from "./read-rows.ts";
import { fittingRows, parametersOf, pathParameter, workspaceCall } from "./workspace-call.ts";
import { failure, type Workspace } from "./workspace.ts";
import { workspaceToolNames } from "./tool-names.ts";

/** Columns that a result names, and characters of each. */
const maxColumns = 100;
const maxColumnChars = 100;

const columnParameter = { type: "string", maxLength: 500 };

const columnList = (description: string) => ({
  type: "array",
  maxItems: 100,
  items: { ...columnParameter, minLength: 1 },
  description,
});

const querySchema = z.object({
  at: z.optional(z.string()),
  where: z._default(
    z.array(
      z.object({
        column: z.string(),
        is: z.enum(rowComparisons),
        value: z.optional(z.union([z.string(), z.number(), z.boolean(), z.null()])),
      }),
    ),
    [],
  ),
  group_by: z._default(z.array(z.string()), []),
  aggregates: z._default(z.array(z.object({ of: z.enum(rowAggregates), column: z.optional(z.string()) })), []),
  columns: z._default(z.array(z.string()), []),
  sort: z._default(z.array(z.object({ column: z.string(), descending: z.optional(z.boolean()) })), []),
  skip: z._default(z.number(), 0),
  limit: z._default(z.number(), 50),
});

/** Asks about the rows of a table. */
export function queryTool(workspace: Workspace, context: Pick<RunContext<unknown, unknown>, "host" | "files">): Tool {
  return workspaceCall(
    workspace,
    {
      name: workspaceToolNames.query,
      description:
        "Asks about the rows of a CSV or JSON file: conditions, groups with count, sum, average, minimum and maximum, columns, order and limit.",
      parameters: parametersOf(
        {
          path: pathParameter,
          at: { type: "string", description: "Of JSON: where the list of rows is, such as result.items." },
          where: {
            type: "array",
            maxItems: 20,
            description: "Conditions that all hold.",
            items: parametersOf(
              {
                column: columnParameter,
                is: { type: "string", enum: [...rowComparisons] },
                value: { type: ["string", "number", "boolean", "null"] },
              },
              ["column", "is"],
            ),
          },
          group_by: columnList("One row for each of their values."),
          aggregates: {
            type: "array",
            maxItems: 20,
            description: "What is calculated of each group, or of all rows; named count, sum_amount and so on.",
            items: parametersOf(
              {
                of: { type: "string", enum: [...rowAggregates] },
                column: { ...columnParameter, description: "Only a count needs none." },
              },
              ["of"],
            ),
          },
          columns: columnList("Which columns are given. All when left out."),
          sort: {
            type: "array",
            maxItems: 5,
            items: parametersOf({ column: columnParameter, descending: { type: "boolean" } }, ["column"]),
          },
          skip: { type: "integer", minimum: 0, description: "Rows to leave out at the beginning." },
          limit: { type: "integer", minimum: 1, maximum: 500, description: "How many rows; 50 when left out." },
        },
        ["path"],
      ),
      readOnly: true,
    },
    async (input, { signal }, seen) => {
      const file = workspace.find(String(input["path"]));
      const asked = querySchema.parse(input);
      const rows = await readRows(workspace, context, file, { at: asked.at, signal });
      seen.push(file);
      const needy = asked.aggregates.find(({ of, column }) => of !== "count" && column === undefined);
      if (needy) throw failure(`"${needy.of}" needs a column.`, "Name the column that it is calculated of.");
      const unknown = unknownColumn(rows, asked);
      if (unknown !== undefined) throw missingColumn(unknown, columnsIn(rows), asked);
      const answer = queryRows(rows, asked);
      const { columns, matched } = answer;
      const named = shownNames(columns, maxColumns);
      const fitting = fittingRows(answer.rows, JSON.stringify(named).length);
      const given = asked.skip + fitting.length;
      // What a cut result must not lose comes first.
      return {
        matched,
        of: rows.length,
        ...(given < matched ? { next_skip: given } : {}),
        columns: named,
        ...(columns.length > maxColumns ? { columns_left_out: columns.length - maxColumns } : {}),
        rows: fitting,
      };
    },
  );
}

function shownNames(names: readonly string[], most: number): string[] {
  return names
    .slice(0, most)
    .map((name) => (name.length > maxColumnChars ? `${firstChars(name, maxColumnChars)}…` : name));
}

function missingColumn(name: string, known: readonly string[], { group_by, aggregates }: z.infer<typeof querySchema>) {
  const near = shownNames(nearNames(name, known, 40), 40);
  const hint =
    known.includes(name) && group_by.length + aggregates.length > 0
      ? "Of groups, only the columns of group_by and of the aggregates can be given and sorted by, such as sum_amount."
      : `It has: ${near.join(", ")}.`;
  return failure(`There is no column "${name}".`, known.length === 0 ? "The file has no rows." : hint);
}
