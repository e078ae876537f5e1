import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import { emailProblem, newPasswordProblem } from "../../services/account-rules.ts";
import { ServiceError } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { AccountFields, type AccountWay, GuestEntrance, OtherWay, submitWords } from "./sign-in-parts.tsx";

type SignUp = "open" | "invite" | "closed";

type Way = "guest" | AccountWay;

interface Problem {
  message: string;
  hint: string;
}

function problemOf(error: unknown): Problem {
  if (error instanceof ServiceError) return { message: error.message, hint: error.hint };
  return { message: "Could not sign in.", hint: "Reload the page and try again." };
}

/** What is wrong with the form itself, before anything is sent. */
function formProblems(way: Way, email: string, password: string): { email?: string; password?: string } {
  const wrongEmail = emailProblem(email);
  const wrongPassword =
    way === "sign-up" ? newPasswordProblem(password) : password === "" ? "Enter your password." : undefined;
  return {
    ...(wrongEmail === undefined ? {} : { email: wrongEmail }),
    ...(wrongPassword === undefined ? {} : { password: wrongPassword }),
  };
}

/** The text of an invite in the address that was opened. */
function inviteOf(hash: string): string | undefined {
  return /^#invite=([\w.-]+)$/.exec(hash)?.[1];
}

/** Why nobody can create an account here, or null. */
function whyNoAccounts(signUp: SignUp, invite: string | undefined): Problem | null {
  if (signUp === "closed") {
    return { message: "This studio does not accept new accounts.", hint: "Ask whoever runs it if you need one." };
  }
  if (signUp === "open" || invite !== undefined) return null;
  return { message: "New accounts need an invite.", hint: "Ask whoever runs this studio for a link." };
}

/**
 * The three ways in: as a guest with one click, with an account, or with a new one, as far as this studio takes new ones. The
 * session changes by itself.
 */
export function SignInForm({ signUp, mail }: { signUp: SignUp; mail: boolean }) {
  const { auth } = useServices();
  const [invite] = useState(() => inviteOf(window.location.hash));
  const [deleted] = useState(() => auth.wasDeleted());
  const closed = whyNoAccounts(signUp, invite);
  const asGuest = closed === null || auth.knowsGuest();
  const [way, setWay] = useState<AccountWay>(closed === null ? "sign-up" : "sign-in");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState<Way | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const problems = tried ? formProblems(way, email, password) : {};

  async function attempt(by: Way, request: () => Promise<unknown>) {
    setBusy(by);
    setProblem(null);
    try {
      await request();
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(null);
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    flushSync(() => setTried(true));
    if (Object.keys(formProblems(way, email, password)).length > 0) {
      focusFirstInvalid(event.currentTarget);
      return;
    }
    void attempt(way, () => (way === "sign-up" ? auth.signUp(email, password, invite) : auth.signIn(email, password)));
  }

  function switchWay() {
    setWay(way === "sign-in" ? "sign-up" : "sign-in");
    setTried(false);
    setProblem(null);
  }

  return (
    <div className="flex flex-col gap-4">
      {deleted && <Notice tone="success" title="Your account was deleted." />}

      {invite !== undefined && closed === null && signUp === "invite" && (
        <Notice title="You are invited">This link creates one account, yours.</Notice>
      )}

      {asGuest && (
        <GuestEntrance
          busy={busy === "guest"}
          disabled={busy !== null}
          onClick={() => void attempt("guest", () => auth.enterAsGuest(invite))}
        />
      )}

      {problem !== null && (
        <Notice tone="danger" title={problem.message}>
          {problem.hint}
        </Notice>
      )}

      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        <AccountFields
          way={way}
          problems={problems}
          email={{ value: email, onChange: (event) => setEmail(event.target.value) }}
          password={{ value: password, onChange: (event) => setPassword(event.target.value) }}
        />
        <Button type="submit" variant={asGuest ? "secondary" : "primary"} busy={busy === way} disabled={busy !== null}>
          {submitWords[way]}
        </Button>
      </form>

      {way === "sign-in" && <ForgottenPassword email={email} mail={mail} />}

      {closed === null ? (
        <OtherWay way={way} onClick={switchWay} />
      ) : (
        <p className="text-center text-muted">
          {closed.message} {closed.hint}
        </p>
      )}
    </div>
  );
}

/** The way to a new password: a link by mail, or from whoever runs the studio. */
function ForgottenPassword({ email, mail }: { email: string; mail: boolean }) {
  const { auth } = useServices();
  const [outcome, setOutcome] = useState<"asked" | "sent" | Problem | null>(null);

  async function ask() {
    if (!mail) return setOutcome("asked");
    const wrong = emailProblem(email);
    if (wrong !== undefined) return setOutcome({ message: "Which account?", hint: wrong });
    try {
      await auth.askForReset(email);
      setOutcome("sent");
    } catch (error) {
      setOutcome(problemOf(error));
    }
  }

  return (
    <>
      {outcome === "asked" && (
        <Notice title="This studio sends no mail">
          Ask whoever runs it for a link: <code>npm run reset-password</code> prints one.
        </Notice>
      )}
      {outcome === "sent" && (
        <Notice tone="success" title="Look into your mail">
          If {email} has an account here, a link is on its way. It holds for one hour.
        </Notice>
      )}
      {outcome !== null && typeof outcome === "object" && (
        <Notice tone="danger" title={outcome.message}>
          {outcome.hint}
        </Notice>
      )}
      <p className="text-center">
        <button type="button" className="text-muted hover:underline" onClick={() => void ask()}>
          Forgot your password?
        </button>
      </p>
    </>
  );
}
