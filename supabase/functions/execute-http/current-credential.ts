import type { Caller } from "../_shared/authenticate.ts";
import { isOAuthCredential } from "../_shared/credential-types.ts";
import type { FunctionContext } from "../_shared/endpoint.ts";
import { success } from "../_shared/failure.ts";
import { currentCredential } from "../_shared/oauth/current-grant.ts";
import type { ExecuteHttpDependencies } from "./execute-http.ts";

/** Looks up credentials with the caller's own rights; a token that has ended, or that a server refuses, is renewed. */
export function findCurrentCredential(
  caller: Caller,
  context: FunctionContext,
  signal: AbortSignal,
): ExecuteHttpDependencies["findCredential"] {
  return async (id) => {
    const found = await context.credentials.find(caller, id);
    if (!found.ok) return found;
    const row = found.value;
    const { type, allowed_hosts: allowedHosts } = row;
    return success({
      type,
      allowedHosts,
      async open() {
        const opened = await context.credentials.open(row);
        return opened.ok ? currentCredential(row, opened.value, caller, context, { signal }) : opened;
      },
      ...((type === "oauth2" || type === "oauth2-client") && {
        renew: (refused) =>
          isOAuthCredential(refused)
            ? currentCredential(row, refused, caller, context, { refused: true, signal })
            : Promise.resolve(success(refused)),
      }),
    });
  };
}
