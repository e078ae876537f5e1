import { z } from "zod/mini";
import { canonicalJson } from "../canonical-json.ts";
import { isJsonObject, type Json } from "../json.ts";
import { visibleName } from "../text/visible-name.ts";
import type { Tool } from "../tool/tool.ts";
import { isWholeAddress } from "./provenance/destinations.ts";
import { namesSomebody } from "./provenance/argument-names.ts";
import { destroyingVerbs } from "./provenance/destruction.ts";
import type { JudgedValue, Verdict } from "./provenance/verdict.ts";
import { definitionHash } from "./tool-definition.ts";

/** Characters of an allowed value, and names on the way to it. */
const longestValue = 200;
const deepestPath = 20;

/**
 * A value that one tool of a workflow may always have in one argument. `definition`: a hash of what the tool says of itself, so that
 * another tool of this name has no part in it; `path`: the names of arguments and members on the way to the value, null for any place
 * in a list.
 */
export const allowedValueSchema = z.object({
  nodeId: z.string(),
  toolName: z.string(),
  definition: z.string(),
  path: z.array(z.nullable(z.string())),
  value: z.string(),
});

/** One of the values that a person allowed, or may allow. */
export type AllowedValue = z.infer<typeof allowedValueSchema>;

/**
 * What a person may allow for good at a question that is asked only because of where values came from, and for which workflow. `isAll`:
 * with these the call would not have asked.
 */
export const allowableSchema = z.object({
  workflowId: z.string(),
  values: z.array(allowedValueSchema),
  isAll: z.boolean(),
});
export type Allowable = z.infer<typeof allowableSchema>;

/** A tool at its node. */
interface ToolPlace {
  nodeId: string;
  tool: Pick<Tool, "name" | "description" | "parameters" | "content">;
}

/** A verdict without those of its reasons that a person allowed, which `allowed` names. */
export function withoutAllowed(verdict: Verdict, place: ToolPlace, known: readonly AllowedValue[]): Verdict {
  const keys = new Set(known.map(canonicalJson));
  const isAllowed = (judged: JudgedValue) => {
    const value = allowableValue(place, judged);
    return value !== undefined && keys.has(canonicalJson(value));
  };
  const because = verdict.because.filter((judged) => !isAllowed(judged));
  return { ...verdict, because, asks: because.length > 0, allowed: verdict.because.filter(isAllowed) };
}

/** What of a verdict's reasons a person may allow. `isHidden`: whether a text must not be stored. */
export function allowableOf(
  { because }: Verdict,
  place: ToolPlace,
  isHidden: (text: string) => boolean,
): Omit<Allowable, "workflowId"> | undefined {
  const found = because.flatMap((judged) => {
    const value = allowableValue(place, judged);
    return value === undefined || isHidden(value.value) ? [] : [value];
  });
  const values = [...new Map(found.map((value) => [canonicalJson(value), value])).values()];
  return values.length === 0 ? undefined : { values, isAll: found.length === because.length };
}

/** The value of an argument that may be allowed: an address or the name or id of somebody, never a text, a number or a flag. */
function allowableValue({ nodeId, tool }: ToolPlace, { path, value, isName }: JudgedValue): AllowedValue | undefined {
  const [argument] = path;
  if (isName || destroyingVerbs(tool.name).length > 0) return undefined;
  if (typeof value !== "string" || argument === undefined || path.length > deepestPath) return undefined;
  if (value.length > longestValue || value.trim() !== value || /\p{C}|\s{2}/u.test(value)) return undefined;
  if (tool.content?.includes(String(argument)) === true) return undefined;
  const name = path.findLast((step) => typeof step === "string") ?? "";
  const isNamed = namesSomebody(name) && value.split(" ").length <= 3;
  if (!isNamed && !isWholeAddress(value)) return undefined;
  return {
    nodeId,
    toolName: tool.name,
    definition: definitionHash(tool),
    path: path.map((step) => (typeof step === "number" ? null : step)),
    value: asAllowed(value),
  };
}

/** Whether arguments have this value where it was asked about. */
export function holdsAllowed(input: Json, { path, value }: Pick<AllowedValue, "path" | "value">): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return typeof input === "string" && asAllowed(input) === value;
  const inner = { path: rest, value };
  if (step === null) return Array.isArray(input) && input.some((item) => holdsAllowed(item, inner));
  return isJsonObject(input) && Object.hasOwn(input, step) && holdsAllowed(input[step] ?? null, inner);
}

/** An argument by its names: `message.to`, whatever the place in a list. */
export function allowedPathWords(path: AllowedValue["path"]): string {
  return visibleName(path.filter((step) => step !== null).join("."));
}

/** As it is compared: exactly, but for composed letters and the case of an address of mail. */
function asAllowed(value: string): string {
  const composed = value.normalize("NFC");
  return /^[^\s@]+@[^\s@]+$/u.test(composed) ? composed.toLowerCase() : composed;
}
