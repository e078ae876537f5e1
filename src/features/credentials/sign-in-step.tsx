import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { wantedScope } from "../../engine/credentials/scopes.ts";
import { type CredentialSummary, ServiceError } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { useCredentialCache } from "./credential-cache.ts";
import { signInToServer } from "./sign-in-to-server.ts";

interface SignInStepProps {
  credential: CredentialSummary;
  onSignedIn?: () => void;
}

/** Whether a person signs in to the server of such a credential with the browser. */
export function takesSignIn(credential: Pick<CredentialSummary, "type">): boolean {
  return credential.type === "mcp-oauth" || credential.type === "oauth2";
}

/** Whether somebody has signed in with it. */
function isSignedIn(credential: CredentialSummary): boolean {
  return credential.lastFour !== "";
}

/** A button that opens the server's sign-in in a window of its own, and what came of it. */
export function SignInStep({ credential, onSignedIn }: SignInStepProps) {
  const { credentials } = useServices();
  const cache = useCredentialCache();
  const waiting = useRef<AbortController | null>(null);
  useEffect(() => () => waiting.current?.abort(), []);

  const signIn = useMutation({
    mutationFn: async () => {
      waiting.current?.abort();
      const controller = new AbortController();
      waiting.current = controller;
      try {
        await signInToServer(credential.id, credentials, controller.signal);
        return true;
      } catch (error) {
        // Nobody waits any more: that is no failure.
        if (controller.signal.aborted) return false;
        throw error;
      }
    },
    onSuccess: async (done) => {
      if (!done) return;
      await cache.refresh();
      onSignedIn?.();
    },
  });
  const host = credential.allowedHosts[0] ?? "the server";

  const wanted = wantedScope(credential.settings);

  return (
    <div className="flex flex-col gap-2">
      {!signIn.isPending && <WantedRights scope={wanted} />}
      {signIn.isPending ? (
        <Notice
          tone="info"
          title={`Sign in to ${host} in the window that opened`}
          action={
            <Button size="sm" onClick={() => waiting.current?.abort()}>
              Cancel
            </Button>
          }
        >
          This page continues when you are done.
        </Notice>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size="sm"
            variant={isSignedIn(credential) && wanted === "" ? "secondary" : "primary"}
            onClick={() => signIn.mutate()}
          >
            {isSignedIn(credential) ? "Sign in again" : "Sign in"}
          </Button>
          <span className="text-xs text-muted">
            {isSignedIn(credential) ? "Signed in." : "Nobody has signed in yet."}
          </span>
        </div>
      )}
      {signIn.error !== null && (
        <Notice tone="danger" title={signIn.error.message}>
          {signIn.error instanceof ServiceError && signIn.error.hint}
        </Notice>
      )}
    </div>
  );
}

/** What the server has refused for want of rights, until somebody signs in again with them. */
export function WantedRights({ scope }: { scope: string }) {
  if (scope === "") return null;
  return (
    <Notice tone="warning" title={`The server asks for more permissions: ${scope.replaceAll(" ", ", ")}`}>
      Sign in again to grant them. Until then it refuses some calls.
    </Notice>
  );
}
