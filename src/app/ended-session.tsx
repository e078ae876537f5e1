import { useState } from "react";
import type { Account } from "../services/services.ts";
import { Button } from "../ui/buttons/button.tsx";
import { Icon } from "../ui/icons/icon.tsx";
import { SignInAgain } from "../features/auth/sign-in-again.tsx";

/** Says that the session has ended, and asks to sign in; whoever closes that to look at the page finds the way back above it. */
export function EndedSession({ account }: { account: Account }) {
  const [asking, setAsking] = useState(true);
  return (
    <>
      <div
        role="status"
        className="flex flex-wrap items-center justify-center gap-2 bg-warning-soft px-3 py-1.5 text-xs text-ink"
      >
        <span className="inline-flex items-center gap-2">
          <Icon name="triangle-alert" size={14} />
          Your session has ended: nothing is saved until you sign in again.
        </span>
        <Button size="sm" onClick={() => setAsking(true)}>
          Sign in again
        </Button>
      </div>
      {asking && <SignInAgain account={account} onClose={() => setAsking(false)} />}
    </>
  );
}
