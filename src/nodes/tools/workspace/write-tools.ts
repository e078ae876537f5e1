import type { Tool } from "../../../engine/tool/tool.ts";
import { joinTaint } from "../../../engine/trust/taint.ts";
import { editText } from "./edit-text.ts";
import { parametersOf, pathParameter, workspaceCall } from "./workspace-call.ts";
import { changed, failure, fileFacts, type Workspace } from "./workspace.ts";
import { workspaceToolNames } from "./tool-names.ts";

const versionParameter = (description: string) => ({ type: "integer", minimum: 1, description });

/** Writes a whole file. */
export function writeTool(workspace: Workspace): Tool {
  return workspaceCall(
    workspace,
    {
      name: workspaceToolNames.write,
      description: "Writes a text file. A file that is there under this path is replaced.",
      parameters: parametersOf(
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
}

/** Replaces a text in a file. */
export function editTool(workspace: Workspace): Tool {
  return workspaceCall(
    workspace,
    {
      name: workspaceToolNames.edit,
      description:
        "Replaces a text in a file by another. The old text has to stand there exactly once, unless all are replaced.",
      parameters: parametersOf(
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
      if (file.version !== version) throw changed(file.path, file.version);
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
