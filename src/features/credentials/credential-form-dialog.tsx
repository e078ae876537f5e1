import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { flushSync } from "react-dom";
import { type CredentialSummary, ServiceError } from "../../stores/services.ts";
import { useServices } from "../../stores/services-context.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { focusFirstInvalid } from "../../ui/focus-first-invalid.ts";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { useCredentialCache } from "./credential-cache.ts";
import { draftProblems, emptyDraft, listHosts, sentFields, shownValue, withField } from "./credential-draft.ts";
import { CredentialField } from "./credential-field.tsx";
import { SignInStep, takesSignIn } from "./sign-in-step.tsx";
import { type CredentialKind, credentialKind, credentialKinds } from "./credential-kinds.ts";
import { CredentialSettings } from "./credential-settings.tsx";

export interface CredentialFormDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Which types may be made, such as those that fit a node; all when absent. */
  types?: readonly string[];
  /** A stored credential whose secret is entered again; absent to make a new one. */
  credential?: CredentialSummary;
  onSaved?: (credential: CredentialSummary) => void;
}

/** Makes a credential, or gives a stored one a new secret. The secret goes to the server and never comes back. */
export function CredentialFormDialog({ open, onOpenChange, types, credential, onSaved }: CredentialFormDialogProps) {
  const kinds = credential === undefined ? credentialKinds(types) : [];
  const [chosen, setChosen] = useState<string | null>(null);
  /** Saved, and now somebody signs in with it. */
  const [saved, setSaved] = useState<CredentialSummary | null>(null);
  const type = credential?.type ?? chosen ?? kinds[0]?.type ?? "";
  const kind = credentialKind(type);

  function close(next: boolean) {
    if (!next) {
      setChosen(null);
      setSaved(null);
    }
    onOpenChange(next);
  }

  function finish(done: CredentialSummary) {
    close(false);
    onSaved?.(done);
  }

  if (saved !== null) {
    return (
      <Dialog
        open={open}
        onOpenChange={() => finish(saved)}
        modalOnly
        title={`Sign in to ${saved.allowedHosts[0] ?? saved.name}`}
        description="The credential is saved. Sign in now, or later on the credentials page; agents can use it once you have."
        footer={<Button onClick={() => finish(saved)}>Later</Button>}
      >
        <SignInStep credential={saved} onSignedIn={() => finish(saved)} />
      </Dialog>
    );
  }

  return (
    <Dialog
      open={open}
      onOpenChange={close}
      modalOnly
      title={titleOf(credential)}
      description="It is encrypted on the server and never shown again; nodes use it by its name."
    >
      <div className="flex flex-col gap-4">
        {credential === undefined && (
          <Field label="Type">
            {(control) => (
              <Select
                {...control}
                value={type}
                onValueChange={setChosen}
                disabled={kinds.length < 2}
                options={kinds.map((each) => ({ value: each.type, label: each.title }))}
              />
            )}
          </Field>
        )}
        {kind === undefined ? (
          <Notice tone="warning" title="This studio does not know the type of this credential">
            Update the studio, or delete the credential and make a new one.
          </Notice>
        ) : (
          <CredentialForm
            key={kind.type}
            kind={kind}
            credential={credential}
            onCancel={() => close(false)}
            onSaved={(done) => (takesSignIn(done) ? setSaved(done) : finish(done))}
          />
        )}
      </div>
    </Dialog>
  );
}

function titleOf(credential: CredentialSummary | undefined): string {
  if (credential === undefined) return "New credential";
  return takesSignIn(credential)
    ? `Change the server of ${credential.name}`
    : `Replace the secret of ${credential.name}`;
}

function CredentialForm({
  kind,
  credential,
  onCancel,
  onSaved,
}: {
  kind: CredentialKind;
  credential: CredentialSummary | undefined;
  onCancel: () => void;
  onSaved: (credential: CredentialSummary) => void;
}) {
  const { credentials } = useServices();
  const cache = useCredentialCache();
  const [draft, setDraft] = useState(() => emptyDraft(credential?.name ?? kind.title, credential?.allowedHosts));
  const [tried, setTried] = useState(false);
  const stored = credential !== undefined;
  const problems = tried ? draftProblems(kind, draft, stored) : {};

  const save = useMutation({
    mutationFn: () =>
      credentials.save({
        id: credential?.id,
        name: draft.name.trim(),
        type: kind.type,
        fields: sentFields(draft),
        ...(kind.settings.length > 0 && !stored ? { settings: draft.settings } : {}),
        ...(kind.asksForHosts ? { allowedHosts: listHosts(draft.hosts) } : {}),
      }),
    onSuccess: async (saved) => {
      await cache.refresh();
      onSaved(saved);
    },
  });

  function submit(form: HTMLFormElement) {
    flushSync(() => setTried(true));
    if (Object.keys(draftProblems(kind, draft, stored)).length === 0) save.mutate();
    else focusFirstInvalid(form);
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
        submit(event.currentTarget);
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
      {kind.fields.map((field) => (
        <CredentialField
          key={field.name}
          field={field}
          secret={kind.secrets.has(field.name)}
          stored={stored}
          value={stored ? draft.fields[field.name] : shownValue(kind, draft, field.name)}
          error={problems[field.name]}
          onChange={(value) =>
            setDraft((before) => ({ ...before, fields: withField(before.fields, field.name, value) }))
          }
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
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          {submitLabel(kind.type, stored)}
        </Button>
      </div>
    </form>
  );
}

function submitLabel(type: string, stored: boolean): string {
  if (takesSignIn({ type })) return "Save and sign in";
  return stored ? "Replace secret" : "Save credential";
}
