import type { LargeResults } from "../../../engine/tool/tool.ts";
import { toTextFile } from "../../../engine/workspace/result-shape.ts";
import { firstChars } from "../../../engine/well-formed.ts";
import type { Workspace } from "./workspace.ts";
import { workspaceToolNames } from "./tool-names.ts";

/** Characters of a result that the model reads at once. */
const headChars = 2_000;

/** Writes large results into a workspace, whole, and says what the model reads in their place. */
export function keepLargeResults(workspace: Workspace): LargeResults["keep"] {
  return async ({ toolName, output }, call) => {
    const kept = toTextFile(output);
    const { path, version } = await workspace.keep(`results/${toolName}`, kept, call);
    const { read, search, query } = workspaceToolNames;
    return [
      `[This result has ${kept.text.length.toLocaleString("en")} characters. All of it is in the file ${path}, version ${version}: use ${read}, ${search} or ${query}.]`,
      `It is: ${kept.shape}.`,
      "It begins:",
      firstChars(kept.text, headChars),
    ].join("\n");
  };
}
