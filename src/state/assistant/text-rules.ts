import { mentionedNames } from "../../engine/document/node-references.ts";
import { nodeSlugs } from "../../engine/document/slug.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";
import { nearestName } from "../../engine/template/nearest-name.ts";

/** What texts may be made of once a run was read, whose own texts anybody may have written. */
export interface KnownTexts {
  base: WorkflowDocument;
  /** What the person has written to the assistant. */
  said: string;
  /** Names of values that the run's data has. */
  runNames: ReadonlySet<string>;
}

/** How a setting's texts may change: `exact` where each sign counts, as in code and in what decides about a way. */
export interface TextField {
  name: string;
  exact: boolean;
  /** Values that the field offers. */
  options: readonly Json[];
}

/** Names of kinds of values, as schemas have them. */
const schemaWords = new Set("string number integer boolean object array null".split(" "));

/** Settings that tell a model what a tool is; those of two tools may have been mixed up. */
const toolTexts = new Set(["toolName", "toolDescription"]);

/** Words that are no names in code. */
const codeWords = new Set(
  "true false null undefined return throw new if else for while not and or in const let await".split(" "),
);

const templates = /\{\{[\s\S]*?\}\}/g;
const quotes = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/**
 * The first text of a changed setting that says something new, or undefined. Names may be put right, templates may name other
 * values, and texts may go where they were mixed up; what a prompt, a description or some code says stays as the person wrote it.
 */
export function newTextIn(
  before: Json | undefined,
  after: Json,
  field: TextField,
  known: KnownTexts,
): string | undefined {
  if (typeof before === "string" && wordsOf(before).length > 1 && typeof after !== "string") return "no text";
  const old = textsByPath(before ?? null);
  const now = textsByPath(after);
  // A condition or a column that is left out lets more through.
  if (typeof before === "object" && now.size < old.size) return "less than before";
  for (const [path, text] of now)
    if (!mayStand(old.get(path), text, field, known)) return text === "" ? "an empty text" : text;
  return undefined;
}

function textsByPath(value: Json, path = "", found = new Map<string, string>()): Map<string, string> {
  if (typeof value === "string") found.set(path, value);
  else if (Array.isArray(value)) value.forEach((item, index) => textsByPath(item, `${path}/${index}`, found));
  else if (value !== null && typeof value === "object")
    for (const [key, item] of Object.entries(value)) textsByPath(item, `${path}/${key}`, found);
  return found;
}

function mayStand(old: string | undefined, text: string, field: TextField, known: KnownTexts): boolean {
  if (text === old || field.options.includes(text)) return true;
  if (newQuote(text, known)) return false;
  if (field.exact)
    return old !== undefined && sameButNames(signsOf(old), signsOf(text), (word) => !codeWords.has(word));
  const names = namesOf(known);
  const [was, is] = [wordsOf(old ?? ""), wordsOf(text)];
  if (is.length > 0 && was.length > 1 && sameButNames(was, is, (word) => names.has(word.toLowerCase()))) return true;
  if (was.length === is.length && is.length > 1 && was.every((word, index) => word === is[index])) return true;
  if (isSaid(text, known)) return true;
  if (toolTexts.has(field.name) && (isNameOnly(text) || isUsed(text, field.name, known))) return true;
  if (is.length > 1 || was.length > 1) return false;
  const [before = "", now = ""] = [was[0], is[0]];
  if (now === "") return before === "" || text.includes("{{");
  return before === "" || before === now || schemaWords.has(now) || nearestName(before, [now]) !== undefined;
}

/** Words outside templates. */
function wordsOf(text: string): string[] {
  return text.replace(templates, " ").match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Words and signs, spaces aside. */
function signsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function sameButNames(before: readonly string[], after: readonly string[], mayReplace: (word: string) => boolean) {
  return (
    before.length === after.length &&
    after.every((word, index) => word === before[index] || (isName(word) && isName(before[index]) && mayReplace(word)))
  );
}

function isName(word: string | undefined): boolean {
  return word !== undefined && /^[A-Za-z_][A-Za-z0-9_]*$/.test(word);
}

const isNameOnly = (text: string) => /^[A-Za-z0-9_-]{1,64}$/.test(text);

/** A text within a template that nobody has used: a template could say with it what the text around it may not. */
function newQuote(text: string, { base, said }: KnownTexts): boolean {
  const used = JSON.stringify(Object.values(base.nodes).map(({ config }) => [...textsByPath(config).values()]));
  return (text.match(templates) ?? []).some((template) =>
    (template.match(quotes) ?? []).some((quote) => {
      const inside = quote.slice(1, -1);
      return !used.includes(JSON.stringify(inside).slice(1, -1)) && !said.includes(inside);
    }),
  );
}

function isSaid(text: string, { said }: KnownTexts): boolean {
  const plain = (value: string) => wordsOf(value).join(" ").toLowerCase();
  const wanted = plain(text);
  return wanted !== "" && ` ${plain(said)} `.includes(` ${wanted} `);
}

function isUsed(text: string, field: string, { base }: KnownTexts): boolean {
  return Object.values(base.nodes).some(({ config }) => config[field] === text);
}

/** How nodes, tools and values are called. */
function namesOf({ base, runNames }: KnownTexts): Set<string> {
  const names = new Set([...runNames, ...nodeSlugs(base).values()]);
  for (const { config } of Object.values(base.nodes))
    if (typeof config["toolName"] === "string") names.add(config["toolName"].toLowerCase());
  return names;
}

/** Whether a new title is a name that templates of the workflow call for. */
export function isCalledFor(slug: string, document: WorkflowDocument): boolean {
  return mentionedNames(document).has(slug);
}
