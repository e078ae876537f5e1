import { describeFields, type FieldDescription } from "../config/describe-fields.ts";
import { parseConfig, type ConfigProblem } from "../config/parse-config.ts";
import { isVisible } from "../config/field-values.ts";
import type { AnyNodeDefinition } from "../document/define-node.ts";
import { type ExactJson, type Json, type JsonObject, valueOrExactText } from "../json.ts";
import { RunError } from "../errors.ts";
import type { AiCall } from "./ai-call.ts";
import { resolveSql } from "./bind-sql.ts";
import {
  compileTemplate,
  type OutputRoom,
  resolveExact,
  resolveTemplate,
  type Template,
  wholeRoom,
} from "./resolve-template.ts";
import type { TemplateScope } from "./scope.ts";
import { hasTemplate } from "./split-template.ts";
import { TemplateProblem } from "./template-problem.ts";

/** One config field that holds templates, parsed. */
interface FieldTemplates {
  field: FieldDescription;
  raw: Json;
  /** Every text with an expression in the field; texts inside lists and objects count as well. */
  byText: ReadonlyMap<string, Template>;
  aiCalls: readonly AiCall[];
}

/** A template that is not well formed, at its field. */
interface FieldTemplateProblem {
  field: FieldDescription;
  problem: TemplateProblem;
}

/** A node's raw config with its templates parsed once; resolved per run. */
export interface ConfigTemplates {
  raw: JsonObject;
  templated: readonly FieldTemplates[];
  problems: readonly FieldTemplateProblem[];
}

/**
 * Parses the templates of all fields that take them (defaults included), but for those that do not show: what nobody sees is
 * neither asked of the model nor an error. Never throws; problems are listed.
 */
export function compileConfig(definition: Pick<AnyNodeDefinition, "config">, raw: JsonObject): ConfigTemplates {
  const templated: FieldTemplates[] = [];
  const problems: FieldTemplateProblem[] = [];
  const fields = describeFields(definition.config);
  for (const field of fields) {
    if (field.template === undefined || !isVisible(field, fields, raw)) continue;
    const value = raw[field.name] ?? field.default;
    if (value === undefined) continue;
    const byText = new Map<string, Template>();
    try {
      collect(value, byText);
    } catch (error) {
      if (!(error instanceof TemplateProblem)) throw error;
      problems.push({ field, problem: error });
      continue;
    }
    if (byText.size === 0) continue;
    const aiCalls = [...byText.values()].flatMap((template) => template.aiCalls);
    templated.push({ field, raw: value, byText, aiCalls });
  }
  return { raw, templated, problems };
}

function collect(value: Json, byText: Map<string, Template>): void {
  if (typeof value === "string") {
    if (hasTemplate(value)) byText.set(value, compileTemplate(value));
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of entriesOf(value)) within(key, () => collect(inner, byText));
  }
}

function entriesOf(value: Json[] | JsonObject): [string | number, Json][] {
  return Array.isArray(value) ? value.map((item, index) => [index, item]) : Object.entries(value);
}

/** Does the work; a problem in it gets the name of the entry that it is in. */
function within<Value>(key: string | number, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw error instanceof TemplateProblem ? error.inEntry(key) : error;
  }
}

/** Whose config it is, for error messages. */
interface ConfigOwner {
  id: string;
  title: string;
}

/** How far a config is resolved. */
export interface ResolveConfigOptions {
  /** Fields with `ai(…)` keep their text; they are filled per call. */
  keepAi?: boolean;
  /** What the model gave for the `ai(…)` calls. */
  values?: JsonObject;
  /** A field whose path is missing keeps its text (an agent as tool resolves it per call). */
  keepMissing?: boolean;
  /** Gets the names of the fields that kept their text. */
  unresolved?: string[];
}

/** The raw config with its templates resolved. Throws a RunError of code `expression_error`. */
export function resolveConfig(
  owner: ConfigOwner,
  templates: ConfigTemplates,
  scope: TemplateScope,
  options: ResolveConfigOptions = {},
): JsonObject {
  const broken = templates.problems[0];
  if (broken) throw expressionError(owner, broken.field, broken.problem);
  if (templates.templated.length === 0) return templates.raw;
  const resolved: JsonObject = { ...templates.raw };
  const room = wholeRoom();
  for (const one of templates.templated) {
    if (options.keepAi && one.aiCalls.length > 0) {
      options.unresolved?.push(one.field.name);
      continue;
    }
    try {
      resolved[one.field.name] = resolveField(one, scope, { values: options.values, room });
    } catch (error) {
      if (!(error instanceof TemplateProblem)) throw error;
      if (options.keepMissing && error.kind === "missing") {
        options.unresolved?.push(one.field.name);
        continue;
      }
      throw expressionError(owner, one.field, error);
    }
  }
  return resolved;
}

function resolveField(
  one: FieldTemplates,
  scope: TemplateScope,
  given: { values: JsonObject | undefined; room: OutputRoom },
): Json {
  try {
    const value = resolveValue(one.raw, one, scope, given);
    return one.field.template === "json" ? valueOrExactText(value) : (value as Json);
  } catch (error) {
    const fallback = fallbackOf(one.field, one.raw);
    if (fallback === undefined || !(error instanceof TemplateProblem) || error.kind !== "missing") throw error;
    try {
      return resolveTemplate(compileTemplate(fallback), scope, { place: one.field.template ?? "text", ...given });
    } catch (second) {
      // The default is what the person sees, so it is what the message speaks of.
      throw second instanceof TemplateProblem ? error : second;
    }
  }
}

/** The template that stands in for the field's default where its path is missing; undefined for any other text. */
export function fallbackOf({ default: untouched, defaultFallback }: FieldDescription, raw: Json): string | undefined {
  return typeof raw === "string" && typeof untouched === "string" && sameTemplate(raw, untouched)
    ? defaultFallback
    : undefined;
}

/** How strictly a text of the field is resolved. */
export function identityOf(field: Pick<FieldDescription, "identity" | "default">, text: string) {
  const { identity } = field;
  const isDefault = identity && typeof field.default === "string" && sameTemplate(text, field.default);
  return { identity, isDefault };
}

/** Blanks around a template's one expression do not count. */
function sameTemplate(text: string, other: string): boolean {
  const plain = (template: string) => template.trim().replace(/^\{\{\s*|\s*\}\}$/g, "");
  return plain(text) === plain(other);
}

function resolveValue(
  value: Json,
  one: FieldTemplates,
  scope: TemplateScope,
  given: { values: JsonObject | undefined; room: OutputRoom },
): ExactJson {
  if (typeof value === "string") {
    const template = one.byText.get(value);
    if (!template) return value;
    // Within a list or an object of a SQL place a text is a value; only the field's own text is SQL.
    const place = one.field.template ?? "text";
    if (place === "sql" && value === one.raw) return resolveSql(template, scope, given.values);
    return resolveExact(template, scope, { place, ...given, ...identityOf(one.field, value) });
  }
  if (typeof value !== "object" || value === null) return value;
  const resolved = entriesOf(value).map(
    ([key, inner]) => [key, within(key, () => resolveValue(inner, one, scope, given))] as const,
  );
  return Array.isArray(value) ? resolved.map(([, inner]) => inner) : Object.fromEntries(resolved);
}

/** A template's trouble as a RunError that names node, field, entry and position (from 1). */
function expressionError(owner: ConfigOwner, field: FieldDescription, problem: TemplateProblem): RunError {
  return new RunError({
    code: "expression_error",
    message: `"${owner.title}", field "${field.label}", ${problem.place}: ${problem.message}`,
    hint: problem.hint,
    nodeId: owner.id,
    cause: { field: field.name, position: problem.position },
  });
}

/** A resolved config that does not parse, as a RunError that names node and fields. */
export function configError(owner: ConfigOwner, problems: readonly ConfigProblem[]): RunError {
  return new RunError({
    code: "invalid_config",
    message: `"${owner.title}": ${problems.map((problem) => problem.message).join(" ")}`,
    hint: "Correct the value in the node's settings, or the data that a template inserts there.",
    nodeId: owner.id,
    cause: { field: problems[0]?.field ?? "" },
  });
}

/** Parses a resolved config. Throws a RunError of code `invalid_config`. */
export function parseResolved(owner: ConfigOwner, definition: Pick<AnyNodeDefinition, "config">, resolved: JsonObject) {
  const parsed = parseConfig(definition.config, resolved);
  if (parsed.ok) return parsed.config;
  throw configError(owner, parsed.problems);
}
