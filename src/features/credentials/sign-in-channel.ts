import { z } from "zod/mini";

/** Between the window that a person signs in with and the page that waits for it; both are of this site. */
const channelName = "switchyard-sign-in";

const answerSchema = z.object({
  state: z.string(),
  code: z.optional(z.string()),
  issuer: z.optional(z.string()),
  /** Why there is no code: an error code of RFC 6749 §4.1.2.1, such as `access_denied`. */
  error: z.optional(z.string()),
  /** The other server's words for it. */
  description: z.optional(z.string()),
});

type SignInAnswer = z.infer<typeof answerSchema>;

/** The answer in the address that a person came back to; null when there is none. */
export function answerOf(search: string): SignInAnswer | null {
  const given = new URLSearchParams(search);
  const text = (name: string) => given.get(name) ?? undefined;
  const answer = {
    state: text("state"),
    code: text("code"),
    issuer: text("iss"),
    error: text("error"),
    description: text("error_description"),
  };
  const parsed = answerSchema.safeParse(answer);
  return parsed.success && (parsed.data.code ?? parsed.data.error) !== undefined ? parsed.data : null;
}

/** Hands an answer to the page that waits for it. */
export function sendAnswer(answer: SignInAnswer): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(answer);
  channel.close();
}

/** Resolves with the answer of one sign-in, told by its state; rejects with the signal's reason. */
export function waitForAnswer(state: string, signal: AbortSignal): Promise<SignInAnswer> {
  const channel = new BroadcastChannel(channelName);
  const closed = new AbortController();
  return new Promise<SignInAnswer>((resolve, reject) => {
    const listening = { signal: closed.signal };
    channel.addEventListener(
      "message",
      (event: MessageEvent<unknown>) => {
        const parsed = answerSchema.safeParse(event.data);
        if (parsed.success && parsed.data.state === state) resolve(parsed.data);
      },
      listening,
    );
    signal.addEventListener("abort", () => reject(signal.reason), listening);
    if (signal.aborted) reject(signal.reason);
  }).finally(() => {
    closed.abort();
    channel.close();
  });
}
