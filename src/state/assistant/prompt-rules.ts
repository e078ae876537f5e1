import type { FieldDescription } from "../../engine/config/describe-fields.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";
import type { EditRules, Refusal } from "./edit-rules.ts";
import type { Edit } from "./edits.ts";

/** So many words in a row that stand in a case as well were copied from it. */
const copiedWords = 8;

const onlyPrompts = "While prompts are improved for a suite, only prompts and descriptions of tools may change.";

/** Why an edit other than a setting is not allowed while prompts are improved. */
export function improveRefusal({ improving }: EditRules, edit: Edit): Refusal {
  if (improving === undefined || edit.op === "set") return undefined;
  return { message: onlyPrompts, hint: "Set systemPrompt, userMessage or toolDescription of a node." };
}

/**
 * Why a prompt may not become `after` while prompts are improved: it is no prompt, reads other data, names an address, or
 * repeats a case, which would pass that case and no other.
 */
export function promptRefusal(
  { improving, said }: EditRules,
  { node, field, after }: { node: NodeRecord; field: FieldDescription; after: Json },
): Refusal {
  if (improving === undefined) return undefined;
  if (field.control !== "textarea" || typeof after !== "string")
    return {
      message: `"${node.title}", ${field.label}: ${onlyPrompts}`,
      hint: "Set a prompt or a tool's description.",
    };
  const before = node.config[field.name];
  const known = `${typeof before === "string" ? before : ""}\n${said}`;
  const where = `"${node.title}", ${field.label}`;
  const template = (after.match(/\{\{[\s\S]*?\}\}/g) ?? []).find((each) => !known.includes(each));
  if (template !== undefined)
    return { message: `${where}: the prompt may not read other data.`, hint: `Leave out ${template}.` };
  const address = (after.match(/https?:\/\/\S+|[\w.+-]+@[\w-]+\.\w+/g) ?? []).find((each) => !known.includes(each));
  if (address !== undefined)
    return { message: `${where}: the prompt may not name a new address.`, hint: `Leave out ${address}.` };
  const copied = copiedFrom(improving.texts, after, known);
  if (copied !== undefined)
    return {
      message: `${where}: "${copied}" is copied from a case.`,
      hint: "Write what holds for all requests of this kind.",
    };
  return undefined;
}

const wordsIn = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The first run of words that stands in one of the texts too, and was not in the prompt before. */
function copiedFrom(texts: readonly string[], after: string, known: string): string | undefined {
  const runsOf = (text: string) => {
    const words = wordsIn(text);
    return words.slice(copiedWords - 1).map((_, index) => words.slice(index, index + copiedWords).join(" "));
  };
  const before = new Set(runsOf(known));
  const inCases = new Set(texts.flatMap(runsOf));
  return runsOf(after).find((run) => inCases.has(run) && !before.has(run));
}
