import { z } from "zod/mini";
import { isJsonObject } from "../json.ts";
import { definitionHash, type DescribedTool } from "./tool-definition.ts";

/**
 * What the callers of a published workflow's doors may fill in at the tools of one node, by the tool's name. `definition`: the hash of
 * the tool as it was when its owner agreed; it holds only while that stays the same.
 */
export const callerTermsSchema = z.record(
  z.string().check(z.minLength(1), z.maxLength(64)),
  z.object({
    definition: z.string().check(z.maxLength(64)),
    arguments: z.array(z.string().check(z.maxLength(200))).check(z.minLength(1), z.maxLength(50)),
  }),
);

/** What callers may fill in at the tools of one node. */
export type CallerTerms = z.infer<typeof callerTermsSchema>;

/** The arguments of a tool as it is now that callers may fill in. */
export function callerArguments(tool: DescribedTool, terms: CallerTerms = {}): readonly string[] {
  const own = Object.hasOwn(terms, tool.name) ? terms[tool.name] : undefined;
  return own?.definition === definitionHash(tool) ? own.arguments : [];
}

/** The terms of a node with the tools' arguments as they were chosen; undefined where callers may fill in nothing. */
export function callerTerms(
  chosen: readonly { tool: DescribedTool; arguments: readonly string[] }[],
): CallerTerms | undefined {
  const given = chosen.filter((each) => each.arguments.length > 0);
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map(({ tool, arguments: names }) => [
      tool.name,
      { definition: definitionHash(tool), arguments: names.toSorted() },
    ]),
  );
}

/** The arguments that a tool has, in their order. */
export function argumentsOf({ parameters }: Pick<DescribedTool, "parameters">): string[] {
  const { properties } = parameters;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}
