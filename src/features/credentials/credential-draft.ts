import { fieldProblem } from "../../engine/config/parse-config.ts";
import { defaultConfig } from "../../engine/config/field-values.ts";
import { credentialTypes } from "../../engine/credentials/credential-types.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import type { CredentialKind } from "./credential-kinds.ts";

/** A credential while it is being entered. */
interface CredentialDraft {
  name: string;
  /** Only what was entered; the rest keeps its default or, in a stored credential, its value. */
  fields: JsonObject;
  /** What was decided about its use; the rest keeps its default. */
  settings: JsonObject;
  /** As typed: hosts separated by commas, spaces or lines. */
  hosts: string;
}

/** Messages by field name; `name` and `allowedHosts` are the two that every form may have. */
type DraftProblems = Readonly<Record<string, string>>;

export function emptyDraft(name: string, hosts: readonly string[] = []): CredentialDraft {
  return { name, fields: {}, settings: {}, hosts: hosts.join(", ") };
}

export function listHosts(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** What a field shows: what was entered, or its default in a new credential. */
export function shownValue(kind: CredentialKind, draft: CredentialDraft, field: string): Json | undefined {
  return draft.fields[field] ?? defaultConfig(credentialTypes[kind.type].fields)[field];
}

/**
 * What is wrong with a draft before it is sent. A stored credential keeps what is left empty, but its secrets are asked
 * for again: nobody can see whether they still fit.
 */
export function draftProblems(kind: CredentialKind, draft: CredentialDraft, stored: boolean): DraftProblems {
  const problems: Record<string, string> = {};
  if (draft.name.trim() === "") problems["credential-name"] = "Enter a name for the credential.";
  if (kind.asksForHosts && listHosts(draft.hosts).length === 0) {
    problems["allowed-hosts"] = "Name at least one host, such as api.example.com.";
  }
  const schema = credentialTypes[kind.type].fields;
  for (const field of kind.fields) {
    const untouched = isEmpty(draft.fields[field.name]);
    if (untouched && (!field.required || (stored && !kind.secrets.has(field.name)))) continue;
    const problem = fieldProblem(schema, field, draft.fields);
    if (problem !== undefined) problems[field.name] = problem;
  }
  return problems;
}

/** The fields to send: without those left empty. */
export function sentFields(draft: CredentialDraft): JsonObject {
  return Object.fromEntries(Object.entries(draft.fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "";
}

/** The fields with another value for one of them; undefined takes it away, so that it keeps its default. */
export function withField(fields: JsonObject, name: string, value: Json | undefined): JsonObject {
  const { [name]: _replaced, ...others } = fields;
  return value === undefined ? others : { ...others, [name]: value };
}
