import type { RunContext } from "../../../engine/document/define-node.ts";
import type { ToolSet } from "../../../engine/tool/tool.ts";
import { keepLargeResults } from "./keep-large-results.ts";
import { queryTool } from "./query-tool.ts";
import { listTool, readTool } from "./read-tools.ts";
import { searchTool } from "./search-tool.ts";
import { Workspace } from "./workspace.ts";
import { editTool, writeTool } from "./write-tools.ts";

/** The tools of a workspace; results of other tools with more characters than `keepAbove` go there, none where it is 0. */
export function openWorkspace(context: RunContext<{ keepAbove: number }, unknown>): ToolSet {
  const workspace = new Workspace(context);
  const { keepAbove } = context.config;
  return {
    tools: [
      listTool(workspace),
      readTool(workspace),
      writeTool(workspace),
      editTool(workspace),
      searchTool(workspace, context.host),
      queryTool(workspace, context),
    ],
    ...(keepAbove === 0 ? {} : { keepLarge: { above: keepAbove, keep: keepLargeResults(workspace) } }),
  };
}
