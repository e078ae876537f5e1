import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { toolFields, toolNameOf } from "./tool-fields.ts";

const toolName = "run_workflow";

export const workflowTool = defineNode({
  type: "workflow-tool",
  version: 1,
  role: "tool",
  title: "Workflow tool",
  summary: "Lets the agent run another saved workflow and read its output.",
  icon: "workflow",
  config: z.object({
    workflow: field(z._default(z.string().check(z.maxLength(200)), ""), {
      label: "Workflow",
      help: "The saved workflow to run. The input of its trigger becomes the arguments.",
      control: "workflow",
      required: true,
    }),
    ...toolFields({
      toolName,
      toolDescription: "Runs a workflow and returns its output.",
      approval: "ask-after-untrusted",
    }),
    timeoutMs: field(z._default(z.int().check(z.minimum(1), z.maximum(3_600_000)), 300_000), {
      label: "Time limit (ms)",
      help: "A run that takes longer is stopped; the agent goes on.",
      section: "Limits",
    }),
  }),
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [{ to: "workflow" }],
  toolName: toolNameOf(toolName),
  describe: ({ toolName: name, workflow }) =>
    typeof workflow === "string" && workflow !== ""
      ? `Runs ${typeof name === "string" ? name : toolName}`
      : "Choose a workflow",
  load: () => import("./workflow-tool.run.ts"),
});
