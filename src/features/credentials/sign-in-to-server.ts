import { type CredentialRepository, ServiceError } from "../../services/services.ts";
import { callbackPath } from "./callback-path.ts";
import { waitForAnswer } from "./sign-in-channel.ts";

const size = "popup,width=560,height=760";

/**
 * Lets a person sign in to the server of a credential in a window of its own, and waits for it. Must begin in a click, or the
 * browser opens no window. Rejects with a ServiceError, or with the signal's reason when nobody waits any more.
 */
export async function signInToServer(
  credential: string,
  credentials: Pick<CredentialRepository, "startSignIn" | "finishSignIn">,
  signal: AbortSignal,
): Promise<void> {
  const page = new URL(callbackPath, window.location.origin).href;
  // Opened before anything is asked for: later the browser would not connect it with the click.
  const opened = window.open(page, "_blank", size);
  if (opened === null) {
    const hint = "Allow this site to open windows, then try again.";
    throw new ServiceError("invalid", "The browser did not open the window for the sign-in.", hint);
  }
  try {
    const begun = await credentials.startSignIn(credential, page);
    signal.throwIfAborted();
    // The other site gets no hold of this page.
    opened.opener = null;
    opened.location.replace(begun.authorizationUrl);
    const answer = await waitForAnswer(begun.state, signal);
    if (answer.code === undefined) throw refused(answer.error, answer.description);
    const { state, code, issuer } = answer;
    await credentials.finishSignIn(credential, { pending: begun.pending, state, code, issuer });
  } finally {
    opened.close();
  }
}

function refused(error = "", description = ""): ServiceError {
  if (error === "access_denied") {
    return new ServiceError("invalid", "The sign-in was declined.", "Sign in again and agree to what the studio asks.");
  }
  const words = description === "" ? error : description;
  return new ServiceError("invalid", `The server did not sign you in: ${words.slice(0, 300)}`, "Try again.");
}
