import { z } from "zod/mini";
import "../../engine/config/english-issues.ts";
import type { JsonObject, JsonSchema } from "../../engine/json.ts";

const name = z.string().check(z.minLength(1), z.maxLength(200));
const settings = z.record(z.string(), z.json());
const wire = z.string().check(z.regex(/^[^\s>]+>[^\s>]+$/, "A wire looks like agent.main>reply.main."));

/** One change to a workflow, as a model asks for it. Nodes are named by slug, wires are `from.port>to.port`. */
export const edit = z.discriminatedUnion("op", [
  z.strictObject({
    op: z.literal("add"),
    node: name,
    type: name,
    title: z.optional(name),
    config: z.optional(settings),
  }),
  /** A setting of null goes back to its default. */
  z.strictObject({ op: z.literal("set"), node: name, config: settings }),
  z.strictObject({ op: z.literal("connect"), wire }),
  z.strictObject({ op: z.literal("disconnect"), wire }),
  z.strictObject({ op: z.literal("replace"), node: name, type: name, config: z.optional(settings) }),
  z.strictObject({ op: z.literal("rename"), node: name, title: name }),
  z.strictObject({ op: z.literal("delete"), node: name }),
]);

/** One of the changes above. */
export type Edit = z.infer<typeof edit>;

/** Most changes of one batch. */
export const mostEdits = 200;

/** What is wrong with a batch, at its edit number `index` (from 0). */
export interface EditProblem {
  index: number;
  code:
    | "malformed"
    | "unknown_node"
    | "unknown_type"
    | "unknown_setting"
    | "invalid_setting"
    | "unknown_wire"
    | "refused_wire"
    | "taken_name"
    | "not_allowed";
  message: string;
  hint: string;
}

const text = (description: string): JsonSchema => ({ type: "string", description });

/** The schema of a batch for models; one flat object a change, since not every vendor takes alternatives. */
export const editsSchema: JsonSchema = {
  type: "object",
  properties: {
    edits: {
      type: "array",
      description: "Made in this order, all or none.",
      items: {
        type: "object",
        properties: {
          op: { type: "string", enum: ["add", "set", "connect", "disconnect", "replace", "rename", "delete"] },
          node: text("The node's name; for add, the name that the new node gets, such as support_agent."),
          type: text("add, replace: the node type, such as ai-agent."),
          title: text("add, rename: the title on the card."),
          config: { type: "object", description: "add, set, replace: settings by name. null resets one." },
          wire: text("connect, disconnect: from.port>to.port, such as chat.main>agent.main."),
        },
        required: ["op"],
      },
    },
  },
  required: ["edits"],
};

/** Reads a batch; what is missing or superfluous is told by edit. */
export function readEdits(input: JsonObject): { ok: true; edits: Edit[] } | { ok: false; problems: EditProblem[] } {
  const list = input["edits"];
  if (!Array.isArray(list) || list.length === 0 || list.length > mostEdits) {
    const hint = `Send { "edits": [ … ] } with 1 to ${mostEdits} edits.`;
    return { ok: false, problems: [{ index: 0, code: "malformed", message: "There is no list of edits.", hint }] };
  }
  const edits: Edit[] = [];
  const problems: EditProblem[] = [];
  for (const [index, each] of list.entries()) {
    const read = edit.safeParse(each);
    if (read.success) {
      edits.push(read.data);
      continue;
    }
    const [issue] = read.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    const message = `Edit ${index + 1} cannot be read. ${place}${issue?.message ?? ""}`;
    problems.push({ index, code: "malformed", message, hint: "Correct it and send the whole batch again." });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, edits };
}
