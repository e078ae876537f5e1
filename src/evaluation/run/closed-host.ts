import type { Host } from "../../engine/host.ts";
import { RunError } from "../../engine/errors.ts";

/** A host that reaches nothing: every request is refused in words, and waits are over at once. For runs from recordings. */
export function closedHost(host: Host): Host {
  const refuse = () =>
    Promise.reject(
      new RunError({
        code: "invalid_config",
        message: "A run from a recording makes no request, and this one is not recorded.",
        hint: "Record the case again, or let what is missing run for real.",
      }),
    );
  return { ...host, fetch: refuse, callFunction: refuse, mcpFetch: refuse, browserModel: refuse, wait: async () => {} };
}
