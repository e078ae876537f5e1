import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { keepLargeResults } from "./workspace/keep-large-results.ts";
import { Workspace } from "./workspace/workspace.ts";
import { workspaceToolNames } from "./workspace/workspace-call.ts";
import { workspaceTools } from "./workspace/workspace-tools.ts";

export const workspaceTool = defineNode({
  type: "workspace-tool",
  version: 1,
  role: "tool",
  title: "Workspace",
  summary: "Gives the agent files to write, read and search.",
  keywords: [
    "files",
    "folder",
    "file system",
    "filesystem",
    "documents",
    "artifacts",
    "notes",
    "storage",
    "csv",
    "table",
  ],
  icon: "folder-open",
  config: z.object({
    keepAbove: field(z._default(z.int().check(z.minimum(0), z.maximum(1_000_000)), 4_000), {
      label: "Keep results above (characters)",
      help: "A longer result of another tool becomes a file. The model gets its beginning, its shape and the file's name. 0: none.",
    }),
  }),
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: nowhere,
  // Stands for all its tools: two workspaces of one agent would clash.
  toolName: () => workspaceToolNames.read,
  describe: () => "Files of the run",
  run(context) {
    const workspace = new Workspace(context);
    const { keepAbove } = context.config;
    return {
      tools: workspaceTools(workspace, context),
      ...(keepAbove === 0 ? {} : { keepLarge: { above: keepAbove, keep: keepLargeResults(workspace) } }),
    };
  },
});
