import { afterCrashIn } from "../../engine/document/after-crash.ts";
import { describeFields } from "../../engine/config/describe-fields.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { AnyNodeDefinition, NodeRegistry } from "../../engine/document/define-node.ts";
import { outreachOf } from "../../engine/document/outreach.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { slugify } from "../../engine/document/slugify.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { isCalledFor, newTextIn } from "./text-rules.ts";

/**
 * What the assistant may do to a workflow, whatever its model was told. It never touches credentials, agreements of a
 * person, or how far a tool asks before it acts. Once it has read a run, whose texts anybody may have written, it may put
 * settings in order but write nothing new: words come from the workflow, the catalogue and the person alone.
 */
export interface EditRules {
  /** The workflow as the person made it. */
  base: WorkflowDocument;
  registry: NodeRegistry;
  /** What the person has written to the assistant. */
  said: string;
  /** A run has been read in this conversation. */
  hasReadRun: boolean;
  /** Names of values that its data has, for templates: no values. */
  runNames: ReadonlySet<string>;
  /** Prompts are improved for a suite, whose cases have these texts. */
  improving?: { texts: readonly string[] } | undefined;
}

/** Why a change is not allowed, or undefined. */
export type Refusal = { message: string; hint: string } | undefined;

/** How far a tool asks, the least first. */
const approvalOrder = ["never", "ask-after-untrusted", "once", "writes", "ask"];

const afterRun =
  "You have read a run, whose texts anybody may have written. Tell the person what you would change; they can ask for it in a new conversation.";

/** Words that a schema is written in. */
const schemaTypes = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** Steps that decide which way is taken: once a run was read, only the names in them are put right. */
const wordPattern = /[\p{L}\p{N}_]{4,}/gu;

/** The words of a text that count, in lower case. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(wordPattern) ?? [];
}

function textsOf(value: Json, found: string[] = []): string[] {
  if (typeof value === "string") found.push(value);
  else if (Array.isArray(value)) for (const item of value) textsOf(item, found);
  else if (value !== null && typeof value === "object")
    for (const [key, item] of Object.entries(value)) {
      found.push(key);
      textsOf(item, found);
    }
  return found;
}

/** The words that the person, their workflow and the catalogue use. */
export function trustedWords({ base, registry, said }: EditRules): Set<string> {
  const words = new Set([...wordsOf(said), ...schemaTypes]);
  const take = (text: string) => wordsOf(text).forEach((word) => words.add(word));
  for (const { type, title, config } of Object.values(base.nodes)) {
    take(`${type} ${title}`);
    textsOf(config).forEach(take);
  }
  for (const { type, title, summary, config, outputKeys } of Object.values(registry)) {
    take(`${type} ${title} ${summary}`);
    take((outputKeys?.({}) ?? []).join(" "));
    for (const field of describeFields(config)) {
      take(`${field.name} ${field.label}`);
      textsOf(field.default ?? null).forEach(take);
      textsOf([...(field.options ?? [])]).forEach(take);
    }
  }
  return words;
}

/** Why one setting may not be changed to `after`. */
export function settingRefusal(
  rules: EditRules & { words: ReadonlySet<string> },
  { definition, node, field, after }: { definition: AnyNodeDefinition; node: NodeRecord; field: string; after: Json },
): Refusal {
  const described = describeFields(definition.config).find(({ name }) => name === field);
  if (described?.control === "credential")
    return {
      message: `"${node.title}": credentials are chosen by the person.`,
      hint: "Leave the setting out and say which credential is needed.",
    };
  if (definition.agreed?.includes(field) === true)
    return {
      message: `"${node.title}": only the person can agree to ${described?.label ?? field}.`,
      hint: "Leave the setting out and say what they have to agree to.",
    };
  if (asksLess(node, definition, field, after))
    return {
      message: `"${node.title}" may not be made to ask less often.`,
      hint: "Only the person can do that, in the tool's settings.",
    };
  if (!rules.hasReadRun) return undefined;
  if (ownersFields.has(field))
    return { message: `"${node.title}": ${described?.label ?? field} is for the person to decide.`, hint: afterRun };
  if (definition.decides === "passage")
    return { message: `"${node.title}" checks what goes in and out.`, hint: afterRun };
  const known = JSON.stringify(node.config[field] ?? null);
  const strange = strangeWords(after, rules).filter((word) => !wordsOf(known).includes(word));
  if (strange.length > 0)
    return {
      message: `"${node.title}": these words are neither the person's nor their workflow's: ${strange.slice(0, 5).join(", ")}.`,
      hint: afterRun,
    };
  if (field === "title") return undefined;
  const decides = definition.decides === "branch";
  const textField = {
    name: field,
    exact: decides || described?.control === "code" || field === "sessionId",
    options: described?.options ?? [],
  };
  const before = node.config[field];
  if (decides && typeof after !== typeof (before ?? described?.default ?? null))
    return { message: `"${node.title}" decides which way is taken.`, hint: afterRun };
  if (described?.default !== undefined && toolNames.has(field) && after === described.default) return undefined;
  const text = newTextIn(before ?? described?.default, after, textField, rules);
  if (text === undefined) return undefined;
  return {
    message: `"${node.title}": "${text.slice(0, 80)}" says something new. Only names and the values in templates can be put right now.`,
    hint: afterRun,
  };
}

/** What is read, written and let through, and what a vendor does by itself. */
const whatIsReached = [
  "readOnly",
  "dryRun",
  "maxAffectedRows",
  "limit",
  "role",
  "filter",
  "collection",
  "allowedHosts",
  "followRedirects",
  "include",
  "exclude",
  "webSearch",
  "imageGeneration",
  "googleSearch",
  "urlContext",
  "harassment",
  "hateSpeech",
  "sexuallyExplicit",
  "dangerousContent",
];

/** What something may cost, who shares a conversation, and whether something may be done twice. */
const ownersFields = new Set([
  "maxTotalTokens",
  "maxCostUsd",
  // A price of 0 would make a spending limit count nothing.
  "inputPrice",
  "outputPrice",
  "embeddingPrice",
  "scope",
  "storage",
  "retention",
  ...whatIsReached,
  "afterCrash",
]);

/** Settings whose default is the tool's own text. */
const toolNames = new Set(["toolName", "toolDescription"]);

/** Why a node may not get another title: after a run only a name that templates ask for in vain, or that of its type. */
export function renameRefusal(
  { base, registry, hasReadRun, said }: EditRules,
  node: NodeRecord,
  title: string,
): Refusal {
  if (!hasReadRun || title === definitionOf(registry, node.type)?.title) return undefined;
  if (isCalledFor(slugify(title), base) || said.toLowerCase().includes(title.toLowerCase())) return undefined;
  return { message: `"${node.title}" may not be renamed now: no template calls for "${title}".`, hint: afterRun };
}

/** How far a node asks: as it is set, else as its type does; undefined for one that never acts by itself. */
function approvalOf(node: NodeRecord, definition: AnyNodeDefinition): Json | undefined {
  const field = describeFields(definition.config).find(({ name }) => name === "approval");
  return node.config["approval"] ?? field?.default;
}

function rankOf(approval: Json | undefined): number {
  return approvalOrder.indexOf(typeof approval === "string" ? approval : "");
}

/** How far a node asks that takes another's place: at least as far as that one. */
export function approvalAfter(
  registry: NodeRegistry,
  [before, after]: readonly [before: NodeRecord, after: NodeRecord],
): JsonObject {
  const [old, next] = [definitionOf(registry, before.type), definitionOf(registry, after.type)];
  if (old === undefined || next === undefined) return {};
  const asked = approvalOf(before, old);
  const own = approvalOf(after, next);
  if (own === undefined || rankOf(asked) <= rankOf(own)) return {};
  return { approval: asked === "writes" ? "ask" : (asked ?? own) };
}

function asksLess(node: NodeRecord, definition: AnyNodeDefinition, field: string, after: Json): boolean {
  if (field === "afterCrash") return after === "repeat" && afterCrashIn(node.config) !== "repeat";
  return field === "approval" && rankOf(after) < rankOf(approvalOf(node, definition));
}

/** Words of a value that nobody whom we trust has used. In a template, names of the run's data are known, too. */
function strangeWords(value: Json, { words, runNames }: EditRules & { words: ReadonlySet<string> }): string[] {
  return textsOf(value).flatMap((text) => {
    const strange: string[] = [];
    const prose = text.replace(/\{\{([\s\S]*?)\}\}/g, (_whole, inside: string) => {
      const names = inside.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (quoted) => {
        strange.push(...wordsOf(quoted).filter((word) => !words.has(word)));
        return " ";
      });
      strange.push(...wordsOf(names).filter((word) => !words.has(word) && !runNames.has(word)));
      return " ";
    });
    return [...strange, ...wordsOf(prose).filter((word) => !words.has(word))];
  });
}

/** Why a node may not be removed. */
export function removalRefusal({ hasReadRun, said }: EditRules, node: NodeRecord): Refusal {
  if (!hasReadRun || said.toLowerCase().includes(node.title.toLowerCase())) return undefined;
  return { message: `"${node.title}" may not be removed now.`, hint: afterRun };
}

/** Why a connection may not be taken away: what checks or asks could be left out of the way. */
export function disconnectRefusal(rules: EditRules, node: NodeRecord): Refusal {
  if (!rules.hasReadRun) return undefined;
  const decides = definitionOf(rules.registry, node.type)?.decides;
  if (decides === "branch") return { message: `"${node.title}" decides which way is taken.`, hint: afterRun };
  if (decides !== "passage") return undefined;
  return { message: `"${node.title}" checks what goes in and out.`, hint: afterRun };
}

/** Why a node may not be connected: after a run, what reaches out stays with those who have it. */
export function connectRefusal(rules: EditRules, source: NodeRecord): Refusal {
  if (!rules.hasReadRun) return undefined;
  const definition = definitionOf(rules.registry, source.type);
  if (definition?.role !== "tool" || outreachOf(definition, source) === undefined) return undefined;
  if (!Object.values(rules.base.edges).some(({ from }) => from.node === source.id)) return undefined;
  return { message: `"${source.title}" may not be given to another node now.`, hint: afterRun };
}

/** Why the new settings of a node may not reach what they reach: after a run only what the workflow reached before. */
export function outreachRefusal({ base, registry, hasReadRun }: EditRules, node: NodeRecord): Refusal {
  if (!hasReadRun) return undefined;
  const definition = definitionOf(registry, node.type);
  const reaches = definition && outreachOf(definition, node);
  if (reaches === undefined) return undefined;
  const before = Object.values(base.nodes).some((other) => {
    const known = definitionOf(registry, other.type);
    const then = known && outreachOf(known, other);
    return then !== undefined && withoutPathValues(then) === withoutPathValues(reaches);
  });
  if (before) return undefined;
  return { message: `"${node.title}" ${reaches}, which the workflow did not do before.`, hint: afterRun };
}

/** An address whose templates stand behind the host: which values they name makes no other place of it. */
function withoutPathValues(reaches: string): string {
  return reaches.replace(
    /( requests to [^\s/{]+\/)(\S.*)$/,
    (_whole, host: string, path: string) => host + path.replaceAll(/\{\{[\s\S]*?\}\}/g, "{{}}"),
  );
}

/** Names of all values in some data, for templates. */
export function namesIn(data: Json, found = new Set<string>()): Set<string> {
  if (Array.isArray(data)) data.forEach((item) => namesIn(item, found));
  else if (data !== null && typeof data === "object")
    for (const [key, value] of Object.entries(data)) {
      if (/^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(key)) found.add(key.toLowerCase());
      namesIn(value, found);
    }
  return found;
}

/** What a model node needs beside its settings: the credential that a node of the same vendor already has. */
export function knownCredential(
  { base, registry }: Pick<EditRules, "base" | "registry">,
  definition: AnyNodeDefinition,
): JsonObject {
  if (definition.role !== "model") return {};
  const field = describeFields(definition.config).find(({ control }) => control === "credential");
  if (field === undefined) return {};
  for (const node of Object.values(base.nodes)) {
    const other = definitionOf(registry, node.type);
    if (other?.role !== "model" || other.type !== definition.type) continue;
    const value = node.config[field.name];
    if (typeof value === "string" && value !== "") return { [field.name]: value };
  }
  return {};
}
