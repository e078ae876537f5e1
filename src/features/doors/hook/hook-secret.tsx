import { useState } from "react";
import { hookSchemeFacts, type HookScheme } from "../../../doors/hook-scheme.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { newSecret, secretProblem } from "./new-secret.ts";

interface HookSecretProps {
  /** As it is stored. */
  scheme: HookScheme;
  /** Names of the secrets that are stored. */
  secrets: readonly string[];
  busy: boolean;
  /** Stores a secret that was made here, and shows it under its name; the one before stays live beside it if there is one. */
  onMake(secret: string, name: string): void;
  /** Likewise one that was entered. Calls back once it is stored. */
  onEnter(secret: string, done: () => void): void;
  onEndPrevious(): void;
  onMakeVerifyToken(token: string): void;
}

/** Makes, takes and ends the secrets by which callers are known. */
export function HookSecret(props: HookSecretProps) {
  const { scheme, secrets, busy, onMake, onEndPrevious, onMakeVerifyToken } = props;
  const { secret: kind, secretName } = hookSchemeFacts[scheme];
  if (kind === "none") return null;
  const hasSecret = secrets.includes("current");
  return (
    <section aria-label={secretName} className="flex flex-col items-start gap-3 *:w-full">
      {!hasSecret && (
        <Notice tone="warning" title={`${secretName} missing`}>
          Until there is one, every request is refused.
        </Notice>
      )}
      {kind === "entered" ? (
        <EnteredSecret key={String(hasSecret)} {...props} hasSecret={hasSecret} />
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Button busy={busy} onClick={() => onMake(newSecret(scheme), secretName)}>
            {hasSecret ? `Replace the ${secretName.toLowerCase()}` : `Make a ${secretName.toLowerCase()}`}
          </Button>
          {hasSecret && <span className="text-xs text-muted">The old one stays live until you end it.</span>}
        </div>
      )}
      {secrets.includes("previous") && (
        <Notice
          title="The old one is still taken"
          action={
            <Button size="sm" busy={busy} onClick={onEndPrevious}>
              End the old one
            </Button>
          }
        >
          End it once the sender uses the new one.
        </Notice>
      )}
      {scheme === "whatsapp" && (
        <div>
          <Button busy={busy} onClick={() => onMakeVerifyToken(newSecret(scheme))}>
            {secrets.includes("verify") ? "Replace the verify token" : "Make a verify token"}
          </Button>
        </div>
      )}
    </section>
  );
}

function EnteredSecret({ scheme, busy, hasSecret, onEnter }: HookSecretProps & { hasSecret: boolean }) {
  const [text, setText] = useState("");
  const [tried, setTried] = useState(false);
  const { secretName, title } = hookSchemeFacts[scheme];
  const problem = secretProblem(scheme, text);
  return (
    <div className="flex items-end gap-2 *:first:flex-1">
      <Field
        label={secretName}
        help={hasSecret ? `One is stored. A new one from ${title} is taken beside it.` : `As ${title} shows it.`}
        {...(tried && problem !== undefined ? { error: problem } : {})}
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            data-1p-ignore
            data-lpignore="true"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Button
        busy={busy}
        onClick={() => {
          setTried(true);
          if (problem === undefined) onEnter(text.trim(), () => setText(""));
        }}
      >
        Save secret
      </Button>
    </div>
  );
}
