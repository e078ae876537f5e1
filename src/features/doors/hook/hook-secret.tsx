import { useState } from "react";
import { hookSchemeFacts, type HookScheme } from "../../../engine/doors/hook-scheme.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { newSecret, secretProblem } from "./new-secret.ts";

interface HookSecretProps {
  /** As it is stored. */
  scheme: HookScheme;
  /** Names of the secrets that are stored. */
  secrets: readonly string[];
  busy: boolean;
  /** Stores a secret; the one before stays live beside it if there is one. Calls back once it is stored. */
  onRenew(secret: string, done: () => void): void;
  onEndPrevious(): void;
  onVerifyToken(token: string, done: () => void): void;
}

/** A secret that was just made. */
function ShownOnce({ name, secret }: { name: string; secret: string }) {
  return (
    <Notice tone="success" title={`${name}: copy it now, it is not shown again.`}>
      <span className="flex items-center gap-1">
        <code className="min-w-0 font-mono text-xs wrap-anywhere">{secret}</code>
        <CopyButton text={() => secret} label={`Copy the ${name.toLowerCase()}`} />
      </span>
    </Notice>
  );
}

/** Makes, takes and ends the secrets by which callers are known. */
export function HookSecret(props: HookSecretProps) {
  const { scheme, secrets, busy, onRenew, onEndPrevious, onVerifyToken } = props;
  const [shown, setShown] = useState<{ name: string; secret: string } | null>(null);
  const { secret: kind, secretName } = hookSchemeFacts[scheme];
  if (kind === "none") return null;
  const hasSecret = secrets.includes("current");
  const make = () => {
    const secret = newSecret(scheme);
    onRenew(secret, () => setShown({ name: secretName, secret }));
  };
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
          <Button busy={busy} onClick={make}>
            {hasSecret ? `Replace the ${secretName.toLowerCase()}` : `Make a ${secretName.toLowerCase()}`}
          </Button>
          {hasSecret && <span className="text-xs text-muted">The old one stays live until you end it.</span>}
        </div>
      )}
      {shown !== null && <ShownOnce {...shown} />}
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
          <Button
            busy={busy}
            onClick={() => {
              const token = newSecret(scheme);
              onVerifyToken(token, () => setShown({ name: "Verify token", secret: token }));
            }}
          >
            {secrets.includes("verify") ? "Replace the verify token" : "Make a verify token"}
          </Button>
        </div>
      )}
    </section>
  );
}

function EnteredSecret({ scheme, busy, hasSecret, onRenew }: HookSecretProps & { hasSecret: boolean }) {
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
          if (problem === undefined) onRenew(text.trim(), () => setText(""));
        }}
      >
        Save secret
      </Button>
    </div>
  );
}
