import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { NodeRecord, WorkflowDocument } from "./workflow-document.ts";

/** Where a secret was typed into a workflow: the node's title, or undefined for the workflow's own settings, and the field. */
export interface TypedSecret {
  title?: string;
  /** Such as `headers.Authorization`. */
  field: string;
}

/** What stands in the place of a secret inside a longer text. */
export const removedMark = "REMOVED";

/** Names of headers, parameters and variables that carry secrets. */
const secretName =
  /^(?:proxy-)?authorization$|^(?:set-)?cookie$|(?:api|access|private|secret|signing)[-_]?key|secret|passw|token$|(?:^|[-_.])(?:auth|pwd|credential|signature|sig)$/i;

/** Templates bring their values at run time; a value that is one holds no secret. */
const template = /\{\{[\s\S]*?\}\}/g;

/** How the keys of well-known services, tokens and signed addresses look. Each is linear: no part can match in two ways. */
const secretTexts: readonly RegExp[] = [
  /\b(?:Bearer|Basic|Token) [A-Za-z0-9+/_.~=-]{8,}/g,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr|glpat|npm|hf|xox[abprs]|github_pat|sbp|sntrys|dop_v1|SG)[-_.][A-Za-z0-9_.-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
const userInfo = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,100}:)([^\s/@]{1,300})@/gi;
const parameter = /([?&]([A-Za-z0-9_.-]{1,60})=)([^&#\s"']+)/g;

/** A text without what looks like a secret in it. */
export function cleanText(text: string): string {
  let clean = text.replace(userInfo, (whole, before: string, secret: string) =>
    isTemplate(secret) ? whole : `${before}${removedMark}@`,
  );
  clean = clean.replace(parameter, (whole, before: string, name: string, value: string) =>
    secretName.test(name) && !isTemplate(value) ? `${before}${removedMark}` : whole,
  );
  for (const pattern of secretTexts) clean = clean.replace(pattern, removedMark);
  return clean;
}

/** Whether a named value, such as a variable's, looks like a secret, by its name or by itself. */
export function looksSecret(name: string, value: string): boolean {
  return (secretName.test(name) && !isTemplate(value)) || cleanText(value) !== value;
}

/** Whether a text says nothing but what templates bring, a scheme such as Bearer aside. */
function isTemplate(text: string): boolean {
  if (!text.includes("{{")) return false;
  return (
    text
      .replace(template, "")
      .replace(/^\s*(?:bearer|basic|token)\b/i, "")
      .trim() === ""
  );
}

function cleanValue(value: Json, path: string, found: (field: string) => void): Json {
  if (typeof value === "string") {
    const clean = cleanText(value);
    if (clean !== value) found(path);
    return clean;
  }
  if (Array.isArray(value)) return value.map((each, index) => cleanValue(each, `${path}.${index + 1}`, found));
  return isJsonObject(value) ? cleanRecord(value, path, found) : value;
}

function cleanRecord(record: JsonObject, path: string, found: (field: string) => void): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]): [string, Json] => {
      const inner = path === "" ? name : `${path}.${name}`;
      // A parameter may stand there several times.
      const texts = Array.isArray(value) ? value : [value];
      const isTyped = (text: Json) => typeof text === "string" && text.trim() !== "" && !isTemplate(text);
      const isSecret = secretName.test(name) && texts.some(isTyped);
      if (!isSecret || path === "") return [name, cleanValue(value, inner, found)];
      found(inner);
      return [
        name,
        Array.isArray(value) ? value.map((text) => (isTyped(text) ? "" : cleanValue(text, inner, found))) : "",
      ];
    }),
  );
}

/**
 * A workflow without the secrets that were typed into its words, fields, headers, variables and pinned data instead of being kept
 * in a credential, and where they stood. What looks like none is left alone, so this is best effort. `vars` counts as a
 * record of named values; a node's own fields are judged by what they hold, not by their names.
 */
export function withoutTypedSecrets<
  Document extends Pick<WorkflowDocument, "nodes" | "vars"> & Partial<Pick<WorkflowDocument, "name" | "description">>,
>(document: Document): { document: Document; removed: TypedSecret[] } {
  const removed: TypedSecret[] = [];
  const nodes = Object.fromEntries(
    Object.entries(document.nodes).map(([id, node]) => {
      const found = (field: string) => removed.push({ title: node.title, field });
      const { notes, pin } = node;
      const cleaned: NodeRecord = { ...node, config: cleanRecord(node.config, "", found) };
      if (notes !== undefined) cleaned.notes = String(cleanValue(notes, "notes", found));
      if (pin !== undefined) cleaned.pin = { ...pin, output: cleanValue(pin.output, "pin.output", found) };
      return [id, cleaned];
    }),
  );
  const words = (field: "name" | "description", text: string) =>
    String(cleanValue(text, field, (one) => removed.push({ field: one })));
  const { name, description } = document;
  const vars = document.vars && cleanRecord(document.vars, "vars", (field) => removed.push({ field }));
  return {
    document: {
      ...document,
      ...(name === undefined ? {} : { name: words("name", name) }),
      ...(description === undefined ? {} : { description: words("description", description) }),
      nodes,
      ...(vars ? { vars } : {}),
    },
    removed,
  };
}
