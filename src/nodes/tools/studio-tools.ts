import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { RunError } from "../../engine/errors.ts";

/** What the assistant works with. The tools themselves belong to the editor, which hands them in through the host. */
export const studioTools = defineNode({
  type: "studio-tools",
  version: 1,
  role: "tool",
  title: "Studio tools",
  summary: "Lets the assistant read the open workflow and its runs and propose changes for you to accept.",
  icon: "sparkles",
  hidden: true,
  config: z.object({}),
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [{ to: "studio" }],
  describe: () => "Reads and proposes, changes nothing",
  run({ host, node }) {
    if (host.studio) return host.studio();
    throw new RunError({
      code: "invalid_config",
      message: "The studio's tools work only in the assistant.",
      hint: "Open another workflow and press Ctrl+I, or ⌘I on a Mac, to talk to this one there.",
      nodeId: node.id,
    });
  },
});
