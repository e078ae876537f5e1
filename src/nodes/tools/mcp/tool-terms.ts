import { z } from "zod/mini";
import { approvalPolicies, type Tool } from "../../../engine/tool/tool.ts";
import { ownResults } from "../../../engine/trust/provenance/finished-call.ts";
import { type McpTool, toolPin } from "./tool-pin.ts";

/** Characters of an argument's name, and how many names a tool may have. */
const maxNameLength = 200;
const maxNames = 50;

/**
 * What a person has decided about one tool of a server. `pin`: the hash of the tool as it was then, in what models read of it; it
 * holds only while that stays the same.
 */
export const toolTermsSchema = z.object({
  pin: z.string().check(z.maxLength(64)),
  /** When it asks, where that is not as the node says. */
  approval: z.optional(z.enum(approvalPolicies)),
  /** The person believes the server that it only reads. */
  readOnly: z.optional(z.literal(true)),
  /** How far its results are the person's own. */
  own: z.optional(z.enum(ownResults)),
  /** Arguments that say something and lead nowhere. */
  content: z.optional(z.array(z.string().check(z.maxLength(maxNameLength))).check(z.maxLength(maxNames))),
});

/** What a person has decided about one tool. */
export type ToolTerms = z.infer<typeof toolTermsSchema>;

/** The terms that hold for a tool as it is now: none once its server changed it, and it only reads while the server says so. */
export function termsOf(tool: McpTool, all: Readonly<Record<string, ToolTerms>>): Omit<ToolTerms, "pin"> {
  const terms = Object.hasOwn(all, tool.name) ? all[tool.name] : undefined;
  if (terms?.pin !== toolPin(tool)) return {};
  const { pin: _pin, readOnly, ...rest } = terms;
  return { ...rest, ...(readOnly && tool.readOnly ? { readOnly } : {}) };
}

/** Terms for a tool as it is now. */
export function agreedTerms(tool: McpTool, terms: Omit<ToolTerms, "pin">): ToolTerms {
  return { ...terms, pin: toolPin(tool) };
}

/** The same as a tool of an agent has it. */
export function asToolFields({ approval, readOnly, own, content }: Omit<ToolTerms, "pin">): Partial<Tool> {
  return {
    ...(approval ? { approval } : {}),
    ...(readOnly ? { readOnly } : {}),
    ...(own ? { own } : {}),
    ...(content ? { content } : {}),
  };
}

/** The arguments that a person lists as saying something only, between commas; or what is wrong with the list. */
export function readContentNames(text: string): { ok: true; names: string[] } | { ok: false; problem: string } {
  const names = text.split(",").flatMap((one) => one.trim() || []);
  if (names.length > maxNames) return { ok: false, problem: `At most ${maxNames} arguments.` };
  if (names.some(({ length }) => length > maxNameLength))
    return { ok: false, problem: `A name has at most ${maxNameLength} characters. Put commas between names.` };
  return { ok: true, names };
}
