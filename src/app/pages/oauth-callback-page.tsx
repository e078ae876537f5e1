import { useEffect, useState } from "react";
import { answerOf, sendAnswer } from "../../features/credentials/sign-in-channel.ts";
import { Spinner } from "../../ui/feedback/spinner.tsx";

/** The window of a sign-in to another server: what it shows before the person leaves, and what it does when they are back. */
export function OAuthCallbackPage() {
  const [answer] = useState(() => answerOf(window.location.search));
  useEffect(() => {
    if (answer === null) return;
    // The code is for one use and for this sign-in only; still it has no business in the history.
    window.history.replaceState(null, "", window.location.pathname);
    sendAnswer(answer);
    window.close();
  }, [answer]);
  return (
    <main className="flex h-full flex-col items-center justify-center gap-3 p-6 text-center">
      {answer === null ? (
        <>
          <Spinner />
          <p className="text-muted">Asking the server where to sign in…</p>
        </>
      ) : (
        <>
          <h1 className="text-lg font-semibold">Back in Switchyard</h1>
          <p className="text-muted">You can close this window.</p>
        </>
      )}
    </main>
  );
}
