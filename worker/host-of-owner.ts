import { type Host, nobodyApproves } from "../src/engine/host.ts";
import { RunLife } from "./run-life.ts";
import type { SendOptions } from "./send-notices.ts";
import { createServerHost } from "./server-host.ts";

/** The owner's rights, without a run. */
export function hostOf(owner: string, { url, publishableKey, fetch, tokens }: SendOptions): Host {
  const missing = { code: "internal" as const, message: "No workflow is run here.", hint: "", retryable: false };
  return createServerHost({
    access: { url, publishableKey, fetch, accessToken: () => tokens.tokenFor(owner) },
    owner,
    life: new RunLife({ heldUntil: Infinity, renew: () => Promise.resolve() }),
    workflows: { load: () => Promise.resolve({ ok: false, error: missing }) },
    approve: nobodyApproves,
    checkpoint: () => Promise.resolve(),
  });
}
