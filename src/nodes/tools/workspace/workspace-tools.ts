import { z } from "zod/mini";
import type { RunContext } from "../../../engine/document/define-node.ts";
import { editDistance } from "../../../engine/edit-distance.ts";
import { RunError } from "../../../engine/errors.ts";
import type { Json, JsonObject } from "../../../engine/json.ts";
import type { Tool, ToolCallContext, ToolResult } from "../../../engine/tool/tool.ts";
import { joinTaint } from "../../../engine/trust/taint.ts";
import type { WorkspaceFile } from "../../../engine/workspace/workspaces.ts";
import { editText } from "./edit-text.ts";
import { columnsIn, queryRows, rowAggregates, rowComparisons, unknownColumn } from "./query-rows.ts";
import { readRows } from "./read-rows.ts";
import { lineSearch, type LineSearch, SearchLimit, shownLine } from "./search-text.ts";
import { linesOf, readLines } from "./text-lines.ts";
import { failure, fileFacts, type Workspace } from "./workspace.ts";

/** Characters of a file, of rows or of found lines that one result holds. */
const mostChars = 16_000;
const mostListed = 500;
const mostFound = 100;
/** Characters of files that one search looks at. */
const mostSearched = 20_000_000;

export const workspaceToolNames = {
  list: "list_files",
  read: "read_file",
  write: "write_file",
  edit: "edit_file",
  search: "search_files",
  query: "query_table",
} as const;

type Context = Pick<RunContext<unknown, unknown>, "host" | "files">;

const pathParameter = {
  type: "string",
  minLength: 1,
  maxLength: 400,
  description: "Such as report.md or notes/plan.md.",
};
const folderParameter = {
  type: "string",
  maxLength: 400,
  description: "A folder or a file. Everything when left out.",
};
const versionParameter = (description: string) => ({ type: "integer", minimum: 1, description });
const columnList = (description: string) => ({
  type: "array",
  maxItems: 100,
  items: { type: "string", minLength: 1 },
  description,
});

function parameters(properties: JsonObject, required: string[] = []): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}

/** What a tool does with its arguments, which match its parameters; `read` are files whose content is in its result. */
type Work = (input: JsonObject, call: ToolCallContext, read: WorkspaceFile[]) => Promise<Json | ShownResult>;

/** A result that the model reads as a text. */
class ShownResult {
  readonly output: Json;
  readonly text: string;
  constructor(output: Json, text: string) {
    this.output = output;
    this.text = text;
  }
}

/** The tools of a workspace. What is in a result came from where the files came from that it shows. */
export function workspaceTools(workspace: Workspace, context: Context): Tool[] {
  const tool = (definition: Omit<Tool, "execute">, work: Work): Tool => ({
    ...definition,
    async execute(input, call): Promise<ToolResult> {
      const read: WorkspaceFile[] = [];
      try {
        const done = await work(input, call, read);
        const untrusted = joinTaint(...read.map((file) => file.untrusted));
        return done instanceof ShownResult
          ? { ok: true, output: done.output, text: done.text, untrusted }
          : { ok: true, output: done, untrusted };
      } catch (error) {
        if (!(error instanceof RunError)) throw error;
        const { message, hint, code } = error.data;
        // A failure may name any of the files.
        return { ok: false, error: { message, hint, code }, untrusted: workspace.taint() };
      }
    },
  });

  const list = tool(
    {
      name: workspaceToolNames.list,
      description: "Lists the files of the workspace with their versions and sizes.",
      parameters: parameters({ path: folderParameter }),
      readOnly: true,
    },
    (input, _call, read) => {
      const all = workspace.within(String(input["path"] ?? ""));
      const files = all.slice(0, mostListed);
      read.push(...files);
      const more = all.length > files.length ? { left_out: all.length - files.length } : {};
      return Promise.resolve({ files: files.map(fileFacts), ...more });
    },
  );

  const read = tool(
    {
      name: workspaceToolNames.read,
      description: `Reads lines of a file, up to ${mostChars.toLocaleString("en")} characters at a time; the result says where to go on.`,
      parameters: parameters(
        {
          path: pathParameter,
          from_line: { type: "integer", minimum: 1, description: "The first line; 1 when left out." },
          lines: { type: "integer", minimum: 1, maximum: 5_000, description: "How many lines; 500 when left out." },
          skip_chars: { type: "integer", minimum: 0, description: "Characters of the first line to leave out." },
        },
        ["path"],
      ),
      readOnly: true,
    },
    async (input, { signal }, seen) => {
      const file = workspace.find(String(input["path"]));
      const text = await workspace.text(file, signal);
      seen.push(file);
      const part = readLines(text, {
        from: Number(input["from_line"] ?? 1),
        count: Number(input["lines"] ?? 500),
        skip: Number(input["skip_chars"] ?? 0),
        maxChars: mostChars,
      });
      const { path, version } = file;
      if (part.first > Math.max(1, part.lines))
        throw failure(`"${path}" has only ${part.lines.toLocaleString("en")} lines.`, "Read from an earlier line.");
      const range = part.lines === 0 ? "empty" : `lines ${part.first}–${part.last} of ${part.lines}`;
      const goOn = part.next ? `\n[It goes on: ${JSON.stringify(part.next)}]` : "";
      return new ShownResult(
        { path, version, ...part },
        `[${path}, version ${version}, ${range}]\n${part.text}${goOn}`,
      );
    },
  );

  const write = tool(
    {
      name: workspaceToolNames.write,
      description: "Writes a text file. A file that is there under this path is replaced.",
      parameters: parameters(
        {
          path: pathParameter,
          content: { type: "string", description: "The whole text." },
          version: versionParameter("Replace only this version of it. Any when left out."),
        },
        ["path", "content"],
      ),
      content: ["content"],
    },
    async (input, call) => {
      const path = String(input["path"]);
      const text = String(input["content"]);
      const replaces = input["version"] === undefined ? undefined : Number(input["version"]);
      return fileFacts(await workspace.write({ path, text, mediaType: mediaTypeFor(path), replaces }, call));
    },
  );

  const edit = tool(
    {
      name: workspaceToolNames.edit,
      description:
        "Replaces a text in a file by another. The old text has to stand there exactly once, unless all are replaced.",
      parameters: parameters(
        {
          path: pathParameter,
          version: versionParameter("The version that you read. If the file has changed since, nothing is done."),
          old_text: { type: "string", minLength: 1, description: "Exactly as it stands in the file." },
          new_text: { type: "string", description: "What stands there instead." },
          replace_all: { type: "boolean", description: "Replace it everywhere." },
        },
        ["path", "version", "old_text", "new_text"],
      ),
      content: ["old_text", "new_text"],
    },
    async (input, call) => {
      const file = workspace.find(String(input["path"]));
      const version = Number(input["version"]);
      if (file.version !== version)
        throw failure(
          `"${file.path}" was changed since you read it: it has version ${file.version} now.`,
          "Read it again, then make your change.",
        );
      const text = await workspace.text(file, call.signal);
      const edited = editText(
        text,
        String(input["old_text"]),
        String(input["new_text"]),
        input["replace_all"] === true,
      );
      if (!edited.ok) throw failure(edited.message, edited.hint);
      const untrusted = joinTaint(call.untrusted, file.untrusted);
      const {
        path,
        file: { mediaType },
      } = file;
      const written = await workspace.write(
        { path, text: edited.text, mediaType, replaces: version },
        { callId: call.callId, signal: call.signal, untrusted },
      );
      return { ...fileFacts(written), replaced: edited.replaced };
    },
  );

  const search = tool(
    {
      name: workspaceToolNames.search,
      description: `Finds lines with a text or a regular expression in the files. Gives up to ${mostFound} lines with their numbers.`,
      parameters: parameters(
        {
          query: { type: "string", minLength: 1, maxLength: 1_000, description: "What to look for in each line." },
          pattern: { type: "boolean", description: "The query is a regular expression, without look-around." },
          match_case: { type: "boolean", description: "Capitals count. They do not when left out." },
          path: folderParameter,
        },
        ["query"],
      ),
      readOnly: true,
    },
    async (input, { signal }, seen) => {
      const files = workspace.within(String(input["path"] ?? ""));
      const find = searchFor(input);
      const found: { path: string; line: number; text: string }[] = [];
      let searched = 0;
      let chars = 0;
      let shown = 0;
      for (const file of files) {
        const turn = context.host.breathe?.();
        if (turn) await turn;
        signal.throwIfAborted();
        if (chars + file.file.size > mostSearched && searched > 0) break;
        const text = await workspace.text(file, signal);
        chars += text.length;
        searched += 1;
        const before = found.length;
        for (const [index, line] of linesOf(text).entries()) {
          const at = find(line);
          if (at === -1) continue;
          const match = { path: file.path, line: index + 1, text: shownLine(line, at) };
          shown += JSON.stringify(match).length;
          if (found.length >= mostFound || shown > mostChars) {
            seen.push(file);
            return { found, more: true, hint: "There is more. Search in one file or folder, or for something rarer." };
          }
          found.push(match);
        }
        if (found.length > before) seen.push(file);
      }
      const rest = searched < files.length;
      return {
        found,
        files_searched: searched,
        ...(rest ? { files_left: files.length - searched, hint: "Search the rest by folder or file." } : {}),
      };
    },
  );

  const query = tool(
    {
      name: workspaceToolNames.query,
      description:
        "Asks about the rows of a CSV or JSON file: conditions, groups with count, sum, average, minimum and maximum, columns, order and limit.",
      parameters: parameters(
        {
          path: pathParameter,
          at: { type: "string", description: "Of JSON: where the list of rows is, such as result.items." },
          where: {
            type: "array",
            maxItems: 20,
            description: "Conditions that all hold.",
            items: parameters(
              {
                column: { type: "string" },
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
            items: parameters(
              {
                of: { type: "string", enum: [...rowAggregates] },
                column: { type: "string", description: "Only a count needs none." },
              },
              ["of"],
            ),
          },
          columns: columnList("Which columns are given. All when left out."),
          sort: {
            type: "array",
            maxItems: 5,
            items: parameters({ column: { type: "string" }, descending: { type: "boolean" } }, ["column"]),
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
      const fitting = fittingRows(answer.rows);
      const given = asked.skip + fitting.length;
      return {
        columns: answer.columns,
        rows: fitting,
        matched: answer.matched,
        of: rows.length,
        ...(given < answer.matched ? { next_skip: given } : {}),
      };
    },
  );
  return [list, read, write, edit, search, query];
}

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

/** As many rows as one result holds. */
function fittingRows(rows: readonly JsonObject[]): JsonObject[] {
  let chars = 0;
  const end = rows.findIndex((row, index) => (chars += JSON.stringify(row).length) > mostChars && index > 0);
  return end === -1 ? [...rows] : rows.slice(0, end);
}

function missingColumn(name: string, known: readonly string[], { group_by, aggregates }: z.infer<typeof querySchema>) {
  const near = known.toSorted((a, b) => editDistance(a, name) - editDistance(b, name)).slice(0, 40);
  const hint =
    known.includes(name) && group_by.length + aggregates.length > 0
      ? "Of groups, only the columns of group_by and of the aggregates can be given and sorted by, such as sum_amount."
      : `It has: ${near.join(", ")}.`;
  return failure(`There is no column "${name}".`, known.length === 0 ? "The file has no rows." : hint);
}

/** The search of one call; its failures are for the model. */
function searchFor(input: JsonObject): LineSearch {
  try {
    const find = lineSearch({
      query: String(input["query"]),
      isPattern: input["pattern"] === true,
      ignoreCase: input["match_case"] !== true,
    });
    return (line) => {
      try {
        return find(line);
      } catch (error) {
        if (!(error instanceof SearchLimit)) throw error;
        throw failure(
          "The pattern takes too long on these files.",
          "Use a simpler one, a text, or search in one file.",
        );
      }
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw failure(`The pattern cannot be read: ${reason}`, "Patterns have no look-around and no back-references.");
  }
}

const mediaTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  md: "text/markdown",
};

function mediaTypeFor(path: string): string {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(mediaTypes, ending) ? (mediaTypes[ending] ?? "text/plain") : "text/plain";
}
