import type { JsonObject } from "../../engine/json.ts";
import { ConfigForm } from "../../forms/config-form.tsx";
import { withField } from "./credential-draft.ts";
import type { CredentialKind } from "./credential-kinds.ts";

interface CredentialSettingsProps {
  kind: CredentialKind;
  settings: JsonObject;
  onChange(settings: JsonObject): void;
}

/** What a credential's owner decides about its use, such as which tables tools may reach; nothing for most types. */
export function CredentialSettings({ kind, settings, onChange }: CredentialSettingsProps) {
  if (kind.settings.length === 0) return null;
  return (
    <ConfigForm
      fields={kind.settings}
      config={settings}
      problems={{}}
      onChange={(field, value) => onChange(withField(settings, field.name, value))}
    />
  );
}
