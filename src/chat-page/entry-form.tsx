import { type FormEvent, useState } from "react";
import type { ChatPageInfo, OpenSession } from "../doors/chat-api.ts";
import { Button } from "../ui/buttons/button.tsx";
import { Field } from "../ui/fields/field.tsx";
import { Input } from "../ui/fields/input.tsx";
import type { ChatSession } from "./chat-session.ts";
import { PageMark } from "./page-mark.tsx";

interface EntryFormProps {
  session: ChatSession;
  info: ChatPageInfo;
  problem: string | null;
}

/** Asks for what the page's access needs. */
export function EntryForm({ session, info, problem }: EntryFormProps) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const proof: OpenSession = info.access === "account" ? { email: email.trim(), password } : { password };
    await session.enter(proof);
    setPassword("");
    setBusy(false);
  };

  const canSend = password !== "" && (info.access !== "account" || email.trim() !== "");
  return (
    <main className="flex h-full items-center justify-center overflow-y-auto p-4">
      <div className="flex w-full max-w-80 flex-col gap-4">
        <header className="flex flex-col items-center gap-2 text-center">
          <PageMark info={info} size="lg" />
          <h1 className="text-xl font-semibold wrap-anywhere">{info.title}</h1>
          <p className="text-base text-muted">{words[info.access]}</p>
        </header>
        {info.access === "signed" ? (
          problem !== null && (
            <p role="alert" className="text-center text-danger">
              {problem}
            </p>
          )
        ) : (
          <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
            {info.access === "account" && (
              <Field label="E-mail">
                {(control) => (
                  <Input
                    {...control}
                    type="email"
                    autoComplete="username"
                    autoFocus
                    value={email}
                    onChange={(event) => setEmail(event.target.value)}
                  />
                )}
              </Field>
            )}
            <Field label="Password" {...(problem !== null && { error: problem })}>
              {(control) => (
                <Input
                  {...control}
                  type="password"
                  autoComplete={info.access === "account" ? "current-password" : "off"}
                  autoFocus={info.access === "password"}
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                />
              )}
            </Field>
            <Button type="submit" variant="primary" busy={busy} disabled={!canSend}>
              {info.access === "account" ? "Sign in" : "Open the chat"}
            </Button>
          </form>
        )}
      </div>
    </main>
  );
}

const words: Record<ChatPageInfo["access"], string> = {
  public: "",
  password: "Enter the password that you were given.",
  account: "Sign in with your account.",
  signed: "This chat opens only on the site that it belongs to.",
};
