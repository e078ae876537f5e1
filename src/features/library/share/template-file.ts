import { z } from "zod/mini";
import { describeFields } from "../../../engine/config/describe-fields.ts";
import { credentialTypes, credentialTypeSchema } from "../../../engine/credentials/credential-types.ts";
import { definitionOf } from "../../../engine/document/can-connect.ts";
import { jsonProblem } from "../../../engine/document/json-problem.ts";
import type { NodeRegistry } from "../../../engine/document/define-node.ts";
import type { NodeRecord, WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { isJsonObject, type JsonObject, readJson } from "../../../engine/json.ts";
import { cleanForExport } from "../../../engine/document/clean-for-export.ts";

/** What whoever takes a template has to bring along; types of credentials, names of variables, and what is chosen on nodes. */
const needsSchema = z.object({
  credentials: z.catch(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(50)), []),
  variables: z.catch(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(200)), []),
  collections: z.catch(z.int().check(z.minimum(0), z.maximum(2_000)), 0),
  workflows: z.catch(z.int().check(z.minimum(0), z.maximum(2_000)), 0),
});

export type TemplateNeeds = z.infer<typeof needsSchema>;

const noNeeds: TemplateNeeds = { credentials: [], variables: [], collections: 0, workflows: 0 };

const line = (length: number) =>
  z.pipe(
    z.string(),
    z.transform((text) =>
      text
        .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
        .trim()
        .slice(0, length),
    ),
  );

/**
 * A workflow that somebody shares, as one JSON file. The picture (SVG) is for pages that list templates; this studio draws its
 * own from the document, and shows none that came with a file.
 */
const templateSchema = z.object({
  name: z.pipe(line(200), z.string().check(z.minLength(1))),
  description: z.catch(line(2_000), ""),
  needs: z.catch(needsSchema, noNeeds),
  document: z.optional(z.record(z.string(), z.json())),
  /** Where the file with the document is, relative to the list. */
  file: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
});

/** A template of somebody else: read like any workflow from outside once it is chosen. */
export type SharedTemplate = z.infer<typeof templateSchema>;

/** Templates of one list that are shown. */
export const mostTemplates = 200;

const limits = { characters: 5_000_000, depth: 70 };

type ReadGallery = { ok: true; templates: SharedTemplate[]; left: number } | { ok: false; problem: string };

/**
 * Reads a list of templates, `{ "templates": [ … ] }`, or the file of one. `left` counts entries that are none. Nothing is run or
 * requested; never throws.
 */
export function readGallery(text: string): ReadGallery {
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    return { ok: false, problem: "The address does not return JSON." };
  }
  const unfit = jsonProblem(value, limits);
  if (unfit !== undefined) return { ok: false, problem: unfit };
  const list = isJsonObject(value) ? (value.templates ?? (value.document === undefined ? undefined : [value])) : value;
  if (!Array.isArray(list)) return { ok: false, problem: 'This is not a list of templates: it has no "templates".' };
  const templates = list.slice(0, mostTemplates).flatMap((one) => {
    const read = templateSchema.safeParse(one);
    const fits = read.success && (read.data.document !== undefined || read.data.file !== undefined);
    return fits ? [read.data] : [];
  });
  if (templates.length === 0) return { ok: false, problem: "The list contains no readable template." };
  return { ok: true, templates, left: list.length - templates.length };
}

/** A template's workflow as it is read, under the template's name; undefined where the document is in a file of its own. */
export function documentOf(
  { name, description, document }: SharedTemplate,
  newId: () => string,
): JsonObject | undefined {
  return document && { ...document, id: newId(), name, ...(description === "" ? {} : { description }) };
}

/** The address of a template's own file: beside the list, on the same server; undefined for any other. */
export function fileAddress(index: string, file: string): string | undefined {
  if (!URL.canParse(file, index)) return undefined;
  const [list, found] = [new URL(index), new URL(file, index)];
  return found.origin === list.origin ? found.href : undefined;
}

/** What people call a type of credential; a list from elsewhere may name one that is not known here. */
function credentialTitle(type: string): string {
  const known = credentialTypeSchema.safeParse(type);
  return known.success ? credentialTypes[known.data].title : type;
}

/** What has to be brought along, in words. */
export function needWords({ credentials, variables, collections, workflows }: TemplateNeeds): string[] {
  return [
    ...credentials.map((type) => `a credential (${credentialTitle(type)})`),
    ...variables.map((name) => `a value for the variable “${name}”`),
    ...(collections > 0 ? [collections === 1 ? "a collection of documents" : `${collections} collections`] : []),
    ...(workflows > 0 ? [workflows === 1 ? "another workflow" : `${workflows} other workflows`] : []),
  ];
}

/**
 * The file of a template: the workflow without credentials, pinned outputs, ids of what this account has, texts that look like
 * secrets, and the values of the variables in `asked`, which whoever takes it has to give. Does not change its argument.
 */
export function templateFile(
  whole: WorkflowDocument,
  { asked, picture, registry }: { asked: ReadonlySet<string>; picture: string | undefined; registry: NodeRegistry },
): { text: string; needs: TemplateNeeds; removed: string[] } {
  const { document, removed } = cleanForExport(whole);
  const { importReport: _report, id: _id, vars, ...rest } = document;
  const found = { credentials: new Set<string>(), collections: 0, workflows: 0 };
  const nodes = Object.entries(rest.nodes).map(([id, node]) => [id, bare(node, registry, found)] as const);
  const variables = Object.keys(vars ?? {}).filter((name) => asked.has(name));
  const needs = { ...found, credentials: [...found.credentials].toSorted(), variables };
  const values = Object.entries(vars ?? {}).map(([name, value]) => [name, asked.has(name) ? "" : value] as const);
  const shared = {
    name: whole.name,
    description: whole.description ?? "",
    needs,
    ...(picture === undefined ? {} : { picture }),
    document: {
      ...rest,
      nodes: Object.fromEntries(nodes),
      ...(values.length > 0 ? { vars: Object.fromEntries(values) } : {}),
    },
  };
  return {
    text: `${JSON.stringify(shared, null, 2)}\n`,
    needs,
    removed: removed.map(({ title, field }) => (title === undefined ? field : `${title}: ${field}`)),
  };
}

/** A node without what belongs to this account; counts what it needs. */
function bare(
  { pin: _pin, unreviewed: _unreviewed, ...node }: NodeRecord,
  registry: NodeRegistry,
  found: { credentials: Set<string>; collections: number; workflows: number },
): NodeRecord {
  const definition = definitionOf(registry, node.type);
  const config: JsonObject = { ...node.config };
  for (const { name, control, required, credentialTypes = [] } of definition ? describeFields(definition.config) : []) {
    const isSet = typeof config[name] === "string" && config[name] !== "";
    if (control === "credential" && required && node.disabled !== true)
      found.credentials.add(credentialTypes[0] ?? "any");
    if ((control !== "collection" && control !== "workflow") || !isSet) continue;
    config[name] = "";
    found[control === "collection" ? "collections" : "workflows"] += 1;
  }
  for (const field of definition?.agreed ?? []) delete config[field];
  return { ...node, config };
}
