import type { RunContext } from "../../../engine/document/define-node.ts";
import type { Tool } from "../../../engine/tool/tool.ts";
import { queryTool } from "./query-tool.ts";
import { listTool, readTool } from "./read-tools.ts";
import { searchTool } from "./search-tool.ts";
import type { Workspace } from "./workspace.ts";
import { editTool, writeTool } from "./write-tools.ts";

/** The tools of a workspace. */
export function workspaceTools(
  workspace: Workspace,
  context: Pick<RunContext<unknown, unknown>, "host" | "files">,
): Tool[] {
  return [
    listTool(workspace),
    readTool(workspace),
    writeTool(workspace),
    editTool(workspace),
    searchTool(workspace, context.host),
    queryTool(workspace, context),
  ];
}
