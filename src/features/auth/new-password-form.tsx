import { type FormEvent, useState } from "react";
import { newPasswordProblem, shortestPassword } from "../../services/account-rules.ts";
import { ServiceError } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";

/** For whoever came by a link: a new password in place of a forgotten one. */
export function NewPasswordForm({ token, onDone }: { token: string | null; onDone: () => void }) {
  const { auth } = useServices();
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ServiceError | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (newPasswordProblem(password) !== undefined) return;
    setBusy(true);
    setFailure(null);
    try {
      await auth.resetPassword(token, password);
      onDone();
    } catch (error) {
      const unknown = new ServiceError("server", "That did not work.", "Reload the page and try again.");
      setFailure(error instanceof ServiceError ? error : unknown);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      {failure !== null && (
        <Notice tone="danger" title={failure.message}>
          {failure.hint}
        </Notice>
      )}
      <Field
        label="New password"
        error={tried ? newPasswordProblem(password) : undefined}
        help={`At least ${shortestPassword} characters. Other browsers are signed out.`}
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={busy}>
        Set password and sign in
      </Button>
    </form>
  );
}
