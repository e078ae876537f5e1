import type { Tool } from "../../../engine/tool/tool.ts";
import { readLines } from "./text-lines.ts";
import {
  fittingRows,
  folderParameter,
  maxChars,
  parametersOf,
  pathParameter,
  ShownResult,
  workspaceCall,
} from "./workspace-call.ts";
import { failure, fileFacts, type Workspace } from "./workspace.ts";
import { workspaceToolNames } from "./tool-names.ts";

const maxListed = 500;

/** Lists the files of a workspace. */
export function listTool(workspace: Workspace): Tool {
  return workspaceCall(
    workspace,
    {
      name: workspaceToolNames.list,
      description: "Lists the files of the workspace with their versions and sizes.",
      parameters: parametersOf({
        path: folderParameter,
        skip: { type: "integer", minimum: 0, description: "Files to leave out at the beginning." },
      }),
      readOnly: true,
    },
    (input, _call, read) => {
      const all = workspace.within(String(input["path"] ?? ""));
      const skip = Number(input["skip"] ?? 0);
      const files = fittingRows(all.slice(skip, skip + maxListed).map(fileFacts));
      const next = skip + files.length;
      read.push(...all.slice(skip, next));
      // What a cut result must not lose comes first.
      return Promise.resolve({
        ...(next < all.length ? { of: all.length, next_skip: next } : {}),
        files,
      });
    },
  );
}

/** Reads a file by lines. */
export function readTool(workspace: Workspace): Tool {
  return workspaceCall(
    workspace,
    {
      name: workspaceToolNames.read,
      description: `Reads lines of a file, up to ${maxChars.toLocaleString("en")} characters at a time; the result says where to go on.`,
      parameters: parametersOf(
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
        maxChars: maxChars,
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
}
