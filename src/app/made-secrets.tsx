import { useEffect, useSyncExternalStore } from "react";
import { currentMadeSecrets, forgetMadeSecrets, onMadeSecrets } from "../ui/overlays/made-secret-store.ts";
import { MadeSecretDialog } from "../ui/overlays/made-secret-dialog.tsx";

/**
 * Shows the secrets that were made, one after the other. It stands beside the pages, so that a secret is seen also where
 * the form that asked for it was closed before it was made: it cannot be shown later.
 */
export function MadeSecrets() {
  const [first] = useSyncExternalStore(onMadeSecrets, currentMadeSecrets);
  // What an account had made is not for the next one.
  useEffect(() => {
    forgetMadeSecrets();
    return forgetMadeSecrets;
  }, []);
  return first && <MadeSecretDialog key={first.secret} {...first} />;
}
