import { z } from "zod/mini";
import { type ConfigOf, field } from "../../engine/config/field.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { approvalPolicies, type ApprovalPolicy, type Tool } from "../../engine/tool/tool.ts";

/** Name and description under which a model sees a tool. */
function namedToolFields(defaults: { toolName: string; toolDescription: string }) {
  return {
    toolName: field(
      z._default(
        z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, "Use 1–64 letters, digits, _ or -.")),
        defaults.toolName,
      ),
      {
        label: "Tool name",
        help: "The name that the model calls it by: letters, digits, _ and -. Each tool of an agent needs a name of its own.",
        required: true,
      },
    ),
    toolDescription: field(z._default(z.string().check(z.maxLength(4_000)), defaults.toolDescription), {
      label: "Tool description",
      help: "Tells the model what the tool does and when to use it.",
      control: "textarea",
      required: true,
    }),
  };
}

/** Approval, time limit and length of results: what every call of a tool is bound by. */
export const guardFields = (approval: DefaultApproval, longestMs = 600_000) => ({
  approval: field(z._default(z.enum(approvalPolicies), approval), {
    label: "Approval",
    help: "Ask: a person agrees to every call. Once: to the first call of a run. Ask after untrusted: once the agent has read something from outside, for values that neither you nor the workflow gave.",
    section: "Limits",
  }),
  timeoutMs: field(z._default(z.int().check(z.minimum(1), z.maximum(longestMs)), 30_000), {
    label: "Time limit (ms)",
    help: "A call that takes longer fails, and the agent goes on.",
    section: "Limits",
  }),
  maxResultChars: field(z._default(z.int().check(z.minimum(100), z.maximum(1_000_000)), 20_000), {
    label: "Longest result",
    help: "How many characters of a result the model sees. The rest is cut off and marked.",
    section: "Limits",
  }),
});

/** What a tool asks by default: one that sends or writes asks once the agent has read something from outside. */
type DefaultApproval = Extract<ApprovalPolicy, "never" | "ask-after-untrusted">;

/** The settings that every tool node has, with this tool's own name, description and approval as defaults. */
export function toolFields(defaults: {
  toolName: string;
  toolDescription: string;
  approval: DefaultApproval;
  /** Milliseconds that a call may take at most. */
  longestMs?: number;
}) {
  return { ...namedToolFields(defaults), ...guardFields(defaults.approval, defaults.longestMs) };
}

/** What `toolFields` gives once parsed. Times in milliseconds. */
type ToolConfig = ConfigOf<ReturnType<typeof toolFields>>;

/** The part of a `Tool` that follows from the common settings. */
export function commonTool(config: ToolConfig): Omit<Tool, "parameters" | "execute"> {
  const { toolName, toolDescription, approval, timeoutMs, maxResultChars } = config;
  return { name: toolName, description: toolDescription, approval, timeoutMs, maxResultChars };
}

/** The name that a node's tool will have, for duplicate checks before a run. */
export function toolNameOf(defaultName: string): (node: NodeRecord) => string {
  return (node) => {
    const name = node.config["toolName"];
    return typeof name === "string" ? name : defaultName;
  };
}
