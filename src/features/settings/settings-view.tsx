import { type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { Link } from "wouter";
import { doBeforeSignOut } from "../../state/account/before-sign-out.ts";
import type { Account } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { ApprovalRules } from "./approval-rules.tsx";
import { BackupState } from "./backup-state.tsx";
import { ChangePasswordForm, KeepGuestForm } from "./account-forms.tsx";
import { ConversationRetentionSettings } from "./conversation-retention.tsx";
import { ModelPrices } from "./model-prices.tsx";
import { RetentionSettings } from "./retention-settings.tsx";
import { StorageUse } from "./storage-use.tsx";
import { StoredData } from "./stored-data.tsx";
import { ThemePicker } from "./theme-picker.tsx";
import { DeleteAccountDialog } from "./delete-account-dialog.tsx";

/** Looks, the account, and where things are kept. */
export function SettingsView({
  account,
  embedded,
  everything,
  onDeleted,
}: {
  account: Account;
  embedded: boolean;
  /** Exports and imports all work. */
  everything: ReactNode;
  /** Removes what this browser keeps of an account that was deleted. */
  onDeleted: (accountId: string) => Promise<void>;
}) {
  const { prices } = useServices();
  return (
    <div className="flex flex-col divide-y rounded-lg border bg-surface">
      <Section title="Theme" lead="How Switchyard looks in this browser.">
        <ThemePicker />
      </Section>
      <Section id="account" title="Account" lead={accountWords(account, embedded)}>
        {account.guest ? <KeepGuestForm /> : <ChangePasswordForm email={account.email ?? ""} />}
        <SignOut />
      </Section>
      <Section title="API keys" lead="With a key, programs run what you have published.">
        <Button asChild className="self-start">
          <Link href="/settings/api-keys">Manage API keys</Link>
        </Button>
      </Section>
      <Section
        id="approvals"
        title="Approvals"
        lead="Recipients and addresses that a workflow's tool may use even though neither you nor the workflow gave them."
      >
        <ApprovalRules />
      </Section>
      <Section
        title="Runs"
        lead="How long runs are kept. Older ones are deleted when a run starts and when a workflow or the list of runs is opened."
      >
        <RetentionSettings />
      </Section>
      <Section
        title="Conversations"
        lead="How long the conversations that agents remember in the database are kept, with their notes and summaries. Older ones are deleted when a run starts."
      >
        <ConversationRetentionSettings />
      </Section>
      {prices.address !== null && (
        <Section title="Prices of models" lead="They set the cost of runs, and what counts toward spending limits.">
          <ModelPrices address={prices.address} />
        </Section>
      )}
      <Section title="Storage" lead="What your account holds, and how much it may hold.">
        <StorageUse />
      </Section>
      <Section
        id={everythingId}
        title="All your work as one file"
        lead="To keep a copy, or to take it to another account or studio."
      >
        {everything}
      </Section>
      <Section title="Your data">
        <p className="-mt-2 text-muted">
          {embedded
            ? "Workflows, runs, conversations and credentials are in the Postgres database that this studio runs on its own machine, in the data directory that the terminal shows at the start (.switchyard in the project's folder unless it was started with --data)."
            : "Workflows, runs, conversations and credentials are in the Supabase project that this site is connected to."}{" "}
          Secrets of credentials are encrypted there and never come back to the browser.
        </p>
        <BackupState />
        <h3 className="font-medium">What is stored, and for how long</h3>
        <StoredData />
        <p className="text-muted">
          Models and tools get what a run sends them; what they keep is up to their providers. Masked texts are masked
          in what is stored here, not in what is sent.
        </p>
      </Section>
      <DeleteAccount account={account} onDeleted={onDeleted} />
    </div>
  );
}

const everythingId = "everything";

function DeleteAccount({ account, onDeleted }: { account: Account; onDeleted: (accountId: string) => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const title = account.guest ? "Delete guest account" : "Delete account";

  function goToExport() {
    flushSync(() => setAsking(false));
    const section = document.getElementById(everythingId);
    section?.scrollIntoView();
    section?.querySelector("button")?.focus({ preventScroll: true });
  }

  return (
    <Section title={title} lead="Permanently deletes the account and everything in it.">
      <Button variant="danger" className="self-start" onClick={() => setAsking(true)}>
        {title}
      </Button>
      {asking && (
        <DeleteAccountDialog
          account={account}
          onClose={() => setAsking(false)}
          onExport={goToExport}
          onDeleted={onDeleted}
        />
      )}
    </Section>
  );
}

function accountWords(account: Account, embedded: boolean): string {
  if (!account.guest) return `Signed in as ${account.email ?? "a user without an e-mail address"}.`;
  return embedded
    ? "You are a guest. Your work stays with this browser: after signing out, “Continue as guest” brings you back to it, here and nowhere else."
    : "You are a guest. Your work can be reached from this browser only, and signing out ends the way back to it.";
}

function SignOut() {
  const { auth } = useServices();
  const [busy, setBusy] = useState(false);

  async function signOut() {
    setBusy(true);
    try {
      await doBeforeSignOut();
      await auth.signOut();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button icon="log-out" busy={busy} onClick={() => void signOut()} className="self-start">
      Sign out
    </Button>
  );
}

function Section({ id, title, lead, children }: { id?: string; title: string; lead?: string; children: ReactNode }) {
  return (
    <section id={id} className="scroll-mt-4 flex flex-col gap-3 px-4 py-5 sm:px-5">
      <div>
        <h2 className="text-base font-semibold">{title}</h2>
        {lead !== undefined && <p className="text-muted">{lead}</p>}
      </div>
      {children}
    </section>
  );
}
