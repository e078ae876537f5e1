import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import type { Account } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { errorHint } from "../../ui/feedback/error-hint.ts";
import { Field } from "../../ui/fields/field.tsx";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { Input } from "../../ui/fields/input.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";

interface DeleteAccountDialogProps {
  account: Account;
  onClose: () => void;
  /** Leads to where everything can be exported. */
  onExport: () => void;
  /** Removes what this browser keeps of it. */
  onDeleted: (accountId: string) => Promise<void>;
}

const gone = [
  "Workflows, with their versions and test suites",
  "Runs, memory and conversations",
  "Knowledge collections and their documents",
  "Credentials and API keys",
  "Published agents, with their schedules, webhooks and chat pages",
];

const word = "delete";

/** Asks before the account is deleted: for the password, or a guest for a word. */
export function DeleteAccountDialog({ account, onClose, onExport, onDeleted }: DeleteAccountDialogProps) {
  const { auth } = useServices();
  const { guest, email } = account;
  const [typed, setTyped] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const problem = guest
    ? typed.trim().toLowerCase() === word
      ? undefined
      : `Type the word ${word}.`
    : typed === ""
      ? "Enter your password."
      : undefined;
  const what = guest ? "guest account" : "account";

  async function attempt() {
    setBusy(true);
    setFailure(null);
    try {
      await auth.deleteAccount(guest ? null : typed);
      await onDeleted(account.id);
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    flushSync(() => setTried(true));
    if (problem !== undefined) focusFirstInvalid(event.currentTarget);
    else if (!busy) void attempt();
  }

  return (
    <Dialog
      open
      modalOnly
      onOpenChange={() => {
        if (!busy) onClose();
      }}
      title={`Delete your ${what}?`}
      description="This cannot be undone."
      footer={
        <DialogActions
          onCancel={busy ? () => {} : onClose}
          variant="danger"
          busy={busy}
          type="submit"
          form="delete-account"
        >
          Delete {what}
        </DialogActions>
      }
    >
      <form id="delete-account" noValidate onSubmit={submit} className="flex flex-col gap-4">
        <div className="flex flex-col gap-1">
          <p>This permanently deletes:</p>
          <ul className="list-disc pl-5 text-muted">
            {gone.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </div>
        <p>
          Server runs stop, and programs and visitors can no longer use your agents.
          {!guest && " You are signed out in every browser."} Data in services outside the studio, such as your Redis
          server, stays there.
        </p>
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-hover px-3 py-2">
          <p className="text-muted">Do you want to keep a copy of your work?</p>
          <Button size="sm" icon="download" onClick={onExport}>
            Go to export
          </Button>
        </div>
        {failure !== null && (
          <Notice tone="danger" title={failure instanceof Error ? failure.message : "That did not work."}>
            {errorHint(failure)}
          </Notice>
        )}
        {/* For password managers, which want to know whose password it is. */}
        {!guest && <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />}
        <Field
          label={guest ? `Type “${word}” to confirm` : "Your password"}
          {...(tried && problem !== undefined ? { error: problem } : {})}
        >
          {(control) => (
            <Input
              {...control}
              type={guest ? "text" : "password"}
              autoComplete={guest ? "off" : "current-password"}
              autoCapitalize="none"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
