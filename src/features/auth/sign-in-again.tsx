import { type FormEvent, useState } from "react";
import type { Account } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { errorHint } from "../../ui/feedback/error-hint.ts";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";

interface SignInAgainProps {
  account: Account;
  onClose: () => void;
}

/** The way back for whoever is on the page whose session has ended. The session changes by itself. */
export function SignInAgain({ account, onClose }: SignInAgainProps) {
  const { auth } = useServices();
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState<"in" | "out" | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const { email } = account;
  const canReturn = !account.guest || auth.knowsGuest();

  async function attempt(way: "in" | "out", request: () => Promise<unknown>) {
    setBusy(way);
    setProblem(null);
    try {
      await request();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(null);
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (account.guest) return void attempt("in", () => auth.enterAsGuest());
    setTried(true);
    if (email !== undefined && password !== "") void attempt("in", () => auth.signIn(email, password));
  }

  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      size="sm"
      title="Your session has ended"
      description={
        canReturn
          ? "Sign in again to go on where you are. Until then nothing is saved; what is on this page stays."
          : "You cannot come back as this guest. Copy what you need from this page, then sign out."
      }
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        {problem !== null && (
          <Notice tone="danger" title={problem instanceof Error ? problem.message : "Could not sign in."}>
            {errorHint(problem)}
          </Notice>
        )}
        {!account.guest && (
          <>
            <p className="text-muted wrap-anywhere">
              Signed in as <span className="text-ink">{email}</span>
            </p>
            {/* For password managers. */}
            <input type="email" autoComplete="username" value={email} readOnly hidden />
            <Field label="Password" {...(tried && password === "" ? { error: "Enter your password." } : {})}>
              {(control) => (
                <Input
                  {...control}
                  type="password"
                  autoComplete="current-password"
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                />
              )}
            </Field>
          </>
        )}
        {canReturn && (
          <Button type="submit" variant="primary" busy={busy === "in"} disabled={busy !== null}>
            {account.guest ? "Continue as guest" : "Sign in"}
          </Button>
        )}
        <Button
          busy={busy === "out"}
          disabled={busy !== null}
          onClick={() => void attempt("out", () => auth.signOut())}
        >
          Sign out and discard what is not saved
        </Button>
      </form>
    </Dialog>
  );
}
