import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { workspaceToolNames } from "./workspace/tool-names.ts";

/** Its tools are loaded with the first run, not with the editor. */
const loadWorkspace = loadOnce(() => import("./workspace/open-workspace.ts"));

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
      label: "Save results longer than (characters)",
      help: "A longer result from another tool becomes a file. The model gets its beginning, its structure and the file name. 0 turns this off.",
    }),
  }),
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: nowhere,
  fixedToolNames: Object.values(workspaceToolNames),
  describe: () => "Files of the run",
  async run(context) {
    const { openWorkspace } = await loadWorkspace();
    return openWorkspace(context);
  },
});
