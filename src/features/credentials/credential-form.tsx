import { useState } from "react";
import { flushSync } from "react-dom";
import type { CredentialStart } from "../../state/credential/credential-dialog-part.ts";
import { type CredentialSummary, type CredentialTest, ServiceError } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { Input } from "../../ui/fields/input.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { useCredentialCache } from "./credential-cache.ts";
import { draftProblems, emptyDraft, listHosts, sentFields, shownValue, withField } from "./credential-draft.ts";
import { CredentialField } from "./credential-field.tsx";
import { OAuthServiceField } from "./oauth-service-field.tsx";
import { takesSignIn } from "./sign-in-step.tsx";
import type { CredentialKind } from "./credential-kinds.ts";
import { CredentialSettings } from "./credential-settings.tsx";

/**
 * What one type of credential asks for; saves it once it works, or if the person wants it all the same, and gives back what may be shown
 * of it.
 */
export function CredentialForm({
  kind,
  credential,
  start,
  onCancel,
  onSaved,
}: {
  kind: CredentialKind;
  /** A stored one whose secret is entered again. */
  credential?: CredentialSummary;
  /** What a new one begins with. */
  start?: CredentialStart | undefined;
  onCancel: () => void;
  onSaved: (credential: CredentialSummary) => void;
}) {
  const { credentials } = useServices();
  const cache = useCredentialCache();
  const [draft, setDraft] = useState(() => ({
    ...emptyDraft(credential?.name ?? start?.name ?? kind.title, credential?.allowedHosts ?? start?.hosts),
    ...(start === undefined ? {} : { fields: { ...start.fields } }),
  }));
  const [tried, setTried] = useState(false);
  const stored = credential !== undefined;
  const [failed, setFailed] = useState<CredentialTest | null>(null);
  const atField = failed !== null && kind.fields.some(({ name }) => name === failed.field) ? failed.field : undefined;
  const problems: Readonly<Record<string, string>> = {
    ...(failed !== null && atField !== undefined
      ? { [atField]: [failed.message, failed.hint].filter(Boolean).join(" ") }
      : {}),
    ...(tried ? draftProblems(kind, draft, stored) : {}),
  };

  const save = useDialogMutation({
    save: (tested: boolean) => {
      const ready = {
        id: credential?.id,
        name: draft.name.trim(),
        type: kind.type,
        fields: sentFields(draft),
        ...(kind.settings.length > 0 && !stored ? { settings: draft.settings } : {}),
        ...(kind.asksForHosts ? { allowedHosts: listHosts(draft.hosts) } : {}),
      };
      return tested ? credentials.saveTested(ready) : credentials.save(ready);
    },
    refresh: cache.refresh,
    showsError: true,
  });
  const change = (next: typeof draft) => {
    setFailed(null);
    setDraft(next);
  };

  function submit(form: HTMLFormElement, tested: boolean) {
    flushSync(() => {
      setTried(true);
      if (tested) setFailed(null);
    });
    if (Object.keys(draftProblems(kind, draft, stored)).length > 0) return focusFirstInvalid(form);
    save.submit(tested, {
      onDone(result) {
        if ("id" in result) return onSaved(result);
        flushSync(() => setFailed(result.unsaved));
        focusFirstInvalid(form);
      },
    });
  }

  return (
    <form
      noValidate
      autoComplete="off"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        // A portal's events reach the React parents: a form around the dialog must not be sent too.
        event.stopPropagation();
        submit(event.currentTarget, kind.canBeTried);
      }}
    >
      <Field label="Name" required error={problems["credential-name"]}>
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            maxLength={200}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      {kind.type === "oauth2" && (
        <OAuthServiceField
          {...(start === undefined && !stored
            ? {
                onChoose: ({ title, fields, hosts }) =>
                  setDraft((before) => ({
                    ...before,
                    name: before.name === kind.title ? title : before.name,
                    fields: { ...before.fields, ...fields },
                    hosts: hosts.join(", "),
                  })),
              }
            : {})}
        />
      )}
      {kind.fields.map((field) => (
        <CredentialField
          key={field.name}
          type={kind.type}
          field={field}
          secret={kind.secrets.has(field.name)}
          stored={stored}
          value={stored ? draft.fields[field.name] : shownValue(kind, draft, field.name)}
          error={problems[field.name]}
          onChange={(value) => change({ ...draft, fields: withField(draft.fields, field.name, value) })}
        />
      ))}
      {kind.asksForHosts && (
        <Field
          label="Allowed hosts"
          required
          help="The secret is sent to these hosts only. Separate several with commas; a port may follow: api.example.com:8443."
          error={problems["allowed-hosts"]}
        >
          {(control) => (
            <Input
              {...control}
              value={draft.hosts}
              placeholder="api.example.com"
              spellCheck={false}
              onChange={(event) => setDraft({ ...draft, hosts: event.target.value })}
            />
          )}
        </Field>
      )}
      {!stored && (
        <CredentialSettings
          kind={kind}
          settings={draft.settings}
          onChange={(settings) => setDraft((before) => ({ ...before, settings }))}
        />
      )}
      {save.error !== null && (
        <Notice tone="danger" title={save.error.message}>
          {save.error instanceof ServiceError && save.error.hint}
        </Notice>
      )}
      {failed !== null && atField === undefined && (
        <Notice tone="danger" title={failed.message}>
          {failed.hint}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2 pt-1 max-sm:[&>button]:flex-1">
        <Button onClick={onCancel}>Cancel</Button>
        {failed !== null && (
          <Button onClick={({ currentTarget: { form } }) => form !== null && submit(form, false)}>
            Save without testing
          </Button>
        )}
        <Button type="submit" variant="primary" busy={save.isPending}>
          {usualLabel(kind.type, stored)}
        </Button>
      </div>
    </form>
  );
}

function usualLabel(type: string, stored: boolean): string {
  if (takesSignIn({ type })) return "Save and sign in";
  return stored ? "Replace secret" : "Save credential";
}
