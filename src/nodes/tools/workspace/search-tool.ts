import type { Host } from "../../../engine/host.ts";
import type { JsonObject } from "../../../engine/json.ts";
import type { Tool } from "../../../engine/tool/tool.ts";
import { lineSearch, type LineSearch, SearchLimit, shownLine } from "./search-text.ts";
import { linesOf } from "./text-lines.ts";
import { folderParameter, maxChars, parametersOf, workspaceCall } from "./workspace-call.ts";
import { failure, type Workspace } from "./workspace.ts";
import { workspaceToolNames } from "./tool-names.ts";

const maxFound = 100;
/** Characters of files that one search looks at. */
const maxSearched = 20_000_000;

/** Searches the lines of files. */
export function searchTool(workspace: Workspace, host: Host): Tool {
  return workspaceCall(
    workspace,
    {
      name: workspaceToolNames.search,
      description: `Finds lines with a text or a regular expression in the files. Gives up to ${maxFound} lines with their numbers.`,
      parameters: parametersOf(
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
    async (input, { signal }, seen): Promise<JsonObject> => {
      const files = workspace.within(String(input["path"] ?? ""));
      const find = searchFor(input);
      const found: { path: string; line: number; text: string }[] = [];
      let searched = 0;
      let chars = 0;
      let shown = 0;
      for (const file of files) {
        const turn = host.breathe?.();
        if (turn) await turn;
        signal.throwIfAborted();
        if (chars + file.file.size > maxSearched && searched > 0) break;
        const text = await workspace.text(file, signal);
        chars += text.length;
        searched += 1;
        const before = found.length;
        for (const [index, line] of linesOf(text).entries()) {
          const at = find(line);
          if (at === -1) continue;
          const match = { path: file.path, line: index + 1, text: shownLine(line, at) };
          shown += JSON.stringify(match).length;
          if (found.length >= maxFound || shown > maxChars) {
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
