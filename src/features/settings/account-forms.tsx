import { type FormEvent, type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { emailProblem, newPasswordProblem, shortestPassword } from "../../services/account-rules.ts";
import { ServiceError } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { Input } from "../../ui/fields/input.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { showToast } from "../../ui/feedback/toast.tsx";

/** Turns a guest into an account. The page changes by itself once the session is an account's. */
export function KeepGuestForm() {
  const { auth } = useServices();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const problems = { email: emailProblem(email), password: newPasswordProblem(password) };
  const form = useForm(problems, async () => {
    await auth.keepGuest(email, password);
    showToast("You have an account. Everything is still here.");
  });
  return (
    <AccountForm
      form={form}
      title="Create an account"
      lead="Everything stays as it is, and you reach it from any browser."
      action="Create account"
    >
      <Field label="E-mail" error={form.shown.email}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <PasswordField label="Password" isNew value={password} onChange={setPassword} error={form.shown.password} />
    </AccountForm>
  );
}

/** Asks for the current password, so that an open browser is not enough to take the account. */
export function ChangePasswordForm({ email }: { email: string }) {
  const { auth } = useServices();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const problems = {
    current: current === "" ? "Enter the password that you have now." : undefined,
    next: newPasswordProblem(next),
  };
  const form = useForm(problems, async () => {
    await auth.changePassword(current, next);
    setCurrent("");
    setNext("");
    showToast("Password changed. Other browsers are signed out.");
  });
  return (
    <AccountForm form={form} title="Change password" action="Change password">
      {/* For password managers, which want to know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label="Current password" value={current} onChange={setCurrent} error={form.shown.current} />
      <PasswordField label="New password" isNew value={next} onChange={setNext} error={form.shown.next} />
    </AccountForm>
  );
}

interface FormState<Name extends string> {
  /** Problems of fields, once somebody has tried to send them. */
  shown: Partial<Record<Name, string>>;
  busy: boolean;
  failure: ServiceError | null;
  submit(event: FormEvent<HTMLFormElement>): void;
}

function useForm<Name extends string>(
  problems: Record<Name, string | undefined>,
  send: () => Promise<void>,
): FormState<Name> {
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ServiceError | null>(null);

  async function attempt() {
    setBusy(true);
    setFailure(null);
    try {
      await send();
      setTried(false);
    } catch (error) {
      const unknown = new ServiceError("server", "That did not work.", "Reload the page and try again.");
      setFailure(error instanceof ServiceError ? error : unknown);
    } finally {
      setBusy(false);
    }
  }

  return {
    shown: tried ? (problems as Partial<Record<Name, string>>) : {},
    busy,
    failure,
    submit(event) {
      event.preventDefault();
      flushSync(() => setTried(true));
      if (Object.values(problems).some((problem) => problem !== undefined)) focusFirstInvalid(event.currentTarget);
      else void attempt();
    },
  };
}

function AccountForm({
  form,
  title,
  lead,
  action,
  children,
}: {
  form: FormState<string>;
  title: string;
  lead?: string;
  action: string;
  children: ReactNode;
}) {
  return (
    <form noValidate aria-label={title} onSubmit={form.submit} className="flex max-w-80 flex-col gap-3">
      <div>
        <h3 className="font-medium">{title}</h3>
        {lead !== undefined && <p className="text-muted">{lead}</p>}
      </div>
      {form.failure !== null && (
        <Notice tone="danger" title={form.failure.message}>
          {form.failure.hint}
        </Notice>
      )}
      {children}
      <Button type="submit" busy={form.busy} className="self-start">
        {action}
      </Button>
    </form>
  );
}

function PasswordField({
  label,
  isNew = false,
  value,
  onChange,
  error,
}: {
  label: string;
  isNew?: boolean;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  return (
    <Field label={label} error={error} help={isNew ? `At least ${shortestPassword} characters.` : undefined}>
      {(control) => (
        <Input
          {...control}
          type="password"
          autoComplete={isNew ? "new-password" : "current-password"}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
