import { type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import type { FieldDescription } from "../../engine/config/describe-fields.ts";
import { compatibleServerIdAt, compatibleServers } from "../../engine/vendors/compatible-servers.ts";
import type { JsonObject } from "../../engine/json.ts";
import { type CredentialSummary, type CredentialTest, ServiceError } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { errorHint } from "../../ui/feedback/error-hint.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { useCredentialCache } from "./credential-cache.ts";
import { draftProblems, emptyDraft, sentFields, withField } from "./credential-draft.ts";
import { CredentialField } from "./credential-field.tsx";
import type { CredentialKind } from "./credential-kinds.ts";

interface KeyFormProps {
  kind: CredentialKind;
  /** What was typed, which lasts while another provider is looked at. */
  fields: JsonObject;
  onChange: (fields: JsonObject) => void;
  onCancel: () => void;
  onSaved: (credential: CredentialSummary, tested: boolean) => void;
}

/** Asks for no more than a model provider needs, tries it, and stores it if it works, or if the person wants it all the same. */
export function KeyForm({ kind, fields, onChange, onCancel, onSaved }: KeyFormProps) {
  const { credentials } = useServices();
  const cache = useCredentialCache();
  const [tried, setTried] = useState(false);
  const [failed, setFailed] = useState<CredentialTest | null>(null);
  const draft = { ...emptyDraft(nameOf(kind, fields)), fields };

  const save = useDialogMutation({
    save: (tested: boolean) => {
      const credential = { name: draft.name, type: kind.type, fields: sentFields(draft) };
      return tested ? credentials.saveTested(credential) : credentials.save(credential);
    },
    refresh: cache.refresh,
    showsError: true,
  });

  function submit(form: HTMLFormElement) {
    flushSync(() => {
      setTried(true);
      setFailed(null);
    });
    if (Object.keys(draftProblems(kind, draft, false)).length > 0) return focusFirstInvalid(form);
    save.submit(true, {
      onDone(result) {
        if ("id" in result) return onSaved(result, true);
        flushSync(() => setFailed(result.unsaved));
        focusFirstInvalid(form);
      },
    });
  }

  const error = errorOf(failed, save.error, fields);
  const problems: Readonly<Record<string, string>> = {
    ...(error?.field === undefined ? {} : { [error.field]: [error.message, error.hint].filter(Boolean).join(" ") }),
    ...(tried ? draftProblems(kind, draft, false) : {}),
  };
  const field = (description: FieldDescription): ReactNode => (
    <CredentialField
      key={description.name}
      type={kind.type}
      field={description}
      secret={kind.secrets.has(description.name)}
      stored={false}
      value={fields[description.name]}
      error={problems[description.name]}
      onChange={(value) => {
        setFailed(null);
        save.reset();
        onChange(withField(fields, description.name, value));
      }}
    />
  );
  // What hardly anybody needs waits behind a line; a key that a server may not ask for does not.
  const isRare = ({ name, required }: FieldDescription) => !required && !kind.secrets.has(name);
  const rare = kind.fields.filter(isRare);

  return (
    <form
      noValidate
      autoComplete="off"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        // A portal's events reach the React parents.
        event.stopPropagation();
        submit(event.currentTarget);
      }}
    >
      {kind.fields.filter((each) => !isRare(each)).map(field)}
      {rare.length > 0 && (
        <details open={rare.some(({ name }) => problems[name] !== undefined) || undefined}>
          <summary className="cursor-pointer text-sm text-muted hover:text-ink">Another address</summary>
          <div className="flex flex-col gap-4 pt-3">{rare.map(field)}</div>
        </details>
      )}
      {error !== null && error.field === undefined && (
        <Notice tone="danger" title={error.message}>
          {error.hint}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2 pt-1 max-sm:[&>button]:flex-1">
        <Button onClick={onCancel}>Cancel</Button>
        {failed !== null && (
          <Button onClick={() => save.submit(false, { onDone: (result) => "id" in result && onSaved(result, false) })}>
            Save without testing
          </Button>
        )}
        <Button type="submit" variant="primary" busy={save.isPending}>
          Connect
        </Button>
      </div>
    </form>
  );
}

/** What went wrong, and at which field. What the server refuses to keep at all is an address that may not be called. */
function errorOf(
  failed: CredentialTest | null,
  refused: Error | null,
  fields: JsonObject,
): { field?: string | undefined; message: string; hint?: string | undefined } | null {
  if (failed !== null) return failed;
  if (refused === null) return null;
  const isAddress = refused instanceof ServiceError && refused.kind === "invalid" && fields["baseUrl"] !== undefined;
  return { message: refused.message, hint: errorHint(refused), ...(isAddress ? { field: "baseUrl" } : {}) };
}

/** The vendor's name; of a compatible server that of a known one, or else its host. */
function nameOf(kind: CredentialKind, { baseUrl }: JsonObject): string {
  if (kind.title !== compatibleServers.custom.title || typeof baseUrl !== "string" || !URL.canParse(baseUrl))
    return kind.title;
  const { host } = new URL(baseUrl);
  const known = compatibleServerIdAt(host);
  return known === undefined ? host : compatibleServers[known].title;
}
