import { describeFields, type FieldDescription } from "../../engine/config/describe-fields.ts";
import { settingsSchema } from "../../engine/credentials/credential-settings.ts";
import { type CredentialType, credentialTypes } from "../../engine/credentials/credential-types.ts";
import type { IconName } from "../../ui/icons/icon.tsx";

/** What the pages need to know of one credential type; all of it follows from its schema. */
export interface CredentialKind {
  type: CredentialType;
  title: string;
  icon: IconName;
  fields: readonly FieldDescription[];
  secrets: ReadonlySet<string>;
  /** What its owner decides about its use, beside the secret; empty for most types. */
  settings: readonly FieldDescription[];
  /** Whether the user names the hosts that the secret may be sent to. */
  asksForHosts: boolean;
  /** Whether there is a call that tells if it works: not for HTTP services, which have none in common, nor before somebody signs in. */
  canBeTried: boolean;
}

type Use = (typeof credentialTypes)[CredentialType]["use"];

const icons: Record<Use, IconName> = {
  model: "sparkles",
  http: "globe",
  redis: "database",
  postgres: "database",
  mcp: "plug",
};

function settingsOf(type: CredentialType): readonly FieldDescription[] {
  const schema = settingsSchema(type);
  return schema === undefined ? [] : describeFields(schema);
}

function toKind(type: CredentialType): CredentialKind {
  const { title, use, secrets, fields } = credentialTypes[type];
  return {
    type,
    title,
    icon: icons[use],
    fields: describeFields(fields).filter(({ hidden }) => hidden !== true),
    secrets: new Set<string>(secrets),
    settings: settingsOf(type),
    asksForHosts: use === "http",
    canBeTried: use !== "http" && type !== "mcp-oauth",
  };
}

function isCredentialType(type: string): type is CredentialType {
  return Object.hasOwn(credentialTypes, type);
}

/** All types, or those of `only` in its order. */
export function credentialKinds(only?: readonly string[]): CredentialKind[] {
  return (only ?? Object.keys(credentialTypes)).filter(isCredentialType).map(toKind);
}

/** The type of a stored credential; undefined when this build does not know it. */
export function credentialKind(type: string): CredentialKind | undefined {
  return isCredentialType(type) ? toKind(type) : undefined;
}
