import type { ComponentProps } from "react";
import { shortestPassword } from "../../services/account-rules.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";

/** The parts of the sign-in form without its state: the page also shows them before its script is there. */
export type AccountWay = "sign-in" | "sign-up";

/** What the button under the fields says. */
export const submitWords: Readonly<Record<AccountWay, string>> = {
  "sign-in": "Sign in",
  "sign-up": "Create account",
};

/** The way in with one click, and the line that parts it from the account's fields. */
export function GuestEntrance(props: Pick<ComponentProps<typeof Button>, "busy" | "disabled" | "onClick">) {
  return (
    <>
      <Button variant="primary" className="h-10! text-base!" {...props}>
        Continue as guest
      </Button>
      <p className="-mt-2 text-center text-xs text-muted">
        No e-mail, no password. Your work stays with this browser until you create an account, now or later.
      </p>

      <div className="flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or with an account
      </div>
    </>
  );
}

type Control = Pick<ComponentProps<typeof Input>, "value" | "onChange">;

interface AccountFieldsProps {
  way: AccountWay;
  problems: { email?: string; password?: string };
  email?: Control;
  password?: Control;
}

/** E-mail and password of an account. */
export function AccountFields({ way, problems, email, password }: AccountFieldsProps) {
  return (
    <>
      <Field label="E-mail" error={problems.email}>
        {(control) => <Input {...control} type="email" autoComplete="email" {...email} />}
      </Field>
      <Field
        label="Password"
        error={problems.password}
        help={way === "sign-up" ? `At least ${shortestPassword} characters.` : undefined}
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete={way === "sign-up" ? "new-password" : "current-password"}
            {...password}
          />
        )}
      </Field>
    </>
  );
}

/** Switches between signing in and a new account. */
export function OtherWay({ way, onClick }: { way: AccountWay; onClick?: () => void }) {
  return (
    <p className="text-center text-muted">
      {way === "sign-up" ? "Have an account already?" : "New here?"}{" "}
      <button type="button" className="font-medium text-accent hover:underline" onClick={onClick}>
        {way === "sign-up" ? "Sign in" : "Create an account"}
      </button>
    </p>
  );
}
