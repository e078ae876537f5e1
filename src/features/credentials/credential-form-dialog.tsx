import { useState } from "react";
import type { CredentialStart } from "../../state/credential/credential-dialog-part.ts";
import type { CredentialSummary } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { CredentialForm } from "./credential-form.tsx";
import { SignInStep, takesSignIn } from "./sign-in-step.tsx";
import { credentialKind, credentialKinds } from "./credential-kinds.ts";

export interface CredentialFormDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Which types may be made, such as those that fit a node; all when absent. */
  types?: readonly string[];
  /** What a new one begins with. */
  start?: CredentialStart;
  /** A stored credential whose secret is entered again; absent to make a new one. */
  credential?: CredentialSummary;
  onSaved?: (credential: CredentialSummary) => void;
}

/** Makes a credential, or gives a stored one a new secret. The secret goes to the server and never comes back. */
export function CredentialFormDialog({
  open,
  onOpenChange,
  types,
  start,
  credential,
  onSaved,
}: CredentialFormDialogProps) {
  const kinds = credential === undefined ? credentialKinds(types) : [];
  const [chosen, setChosen] = useState<string | null>(null);
  /** Saved, and now somebody signs in with it. */
  const [saved, setSaved] = useState<CredentialSummary | null>(null);
  const type = credential?.type ?? chosen ?? start?.type ?? kinds[0]?.type ?? "";
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
        {start !== undefined && (
          <Notice tone="info" title={`For ${start.name}`}>
            {start.help}
          </Notice>
        )}
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
            start={start?.type === kind.type ? start : undefined}
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
    ? `Change the sign-in of ${credential.name}`
    : `Replace the secret of ${credential.name}`;
}
