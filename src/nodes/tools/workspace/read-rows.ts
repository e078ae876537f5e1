import type { RunContext } from "../../../engine/document/define-node.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../engine/json.ts";
import type { WorkspaceFile } from "../../../engine/workspace/workspaces.ts";
import { documentWork } from "../../files/document-work.ts";
import { readOutput } from "../../files/read-output.ts";
import { failure, type Workspace } from "./workspace.ts";

/**
 * The rows of a file: of CSV those below the names of the columns, of JSON the list that it is, that `at` leads to, or that is
 * its only one. Throws a RunError where there are none.
 */
export async function readRows(
  workspace: Workspace,
  { host, files }: Pick<RunContext<unknown, unknown>, "host" | "files">,
  entry: WorkspaceFile,
  { at, signal }: { at: string | undefined; signal: AbortSignal },
): Promise<JsonObject[]> {
  const data = parseJson(await workspace.text(entry, signal));
  if (data !== undefined && typeof data === "object") return rowsIn(data, at, entry.path);
  const file = await workspace.bytes(entry, signal);
  const answer = await documentWork({ host, files, signal }, { do: "read", file, kind: "csv" });
  const read = answer.document && readOutput(answer.document, { give: "rows", sheet: "", hasHeader: true })["rows"];
  return (Array.isArray(read) ? read : []).filter(isJsonObject);
}

function rowsIn(data: Json, at: string | undefined, path: string): JsonObject[] {
  const found = at === undefined || at === "" ? listIn(data) : memberOf(data, at);
  if (Array.isArray(found)) return found.map((item) => (isJsonObject(item) ? item : { value: item }));
  const keys = isJsonObject(data) ? `It is an object with the keys ${Object.keys(data).slice(0, 30).join(", ")}. ` : "";
  const message = at === undefined ? `"${path}" holds no single list of rows.` : `"${path}" has no list at "${at}".`;
  throw failure(message, `${keys}Name the list by "at", such as result.items.`);
}

/** The list that data is, or the only one in it. */
function listIn(data: Json): Json | undefined {
  if (!isJsonObject(data)) return data;
  const lists = Object.values(data).filter(Array.isArray);
  return lists.length === 1 ? lists[0] : undefined;
}

function memberOf(data: Json, at: string): Json | undefined {
  let value: Json | undefined = data;
  for (const name of at.split(".")) {
    if (Array.isArray(value)) value = value[Number(name)];
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}
