import { z } from "zod";
import type { FunctionResult, Host } from "../../src/engine/host.ts";
import { runErrorCodes, type RunErrorData } from "../../src/engine/run/errors.ts";
import { failure, success, type Failure } from "../../supabase/functions/_shared/failure.ts";
import type { TargetPolicy } from "../../supabase/functions/_shared/target-policy.ts";
import { executeHttp } from "../../supabase/functions/execute-http/execute-http.ts";
import type { CredentialBook } from "./credentials-file.ts";

/** `Host.callFunction` without a server: `execute-http` by the studio's own code and guard, in this process. */
export function createCallFunction(credentials: CredentialBook, policy: TargetPolicy): Host["callFunction"] {
  return async (name, body, { signal }): Promise<FunctionResult> => {
    if (name !== "execute-http") {
      return refusal(404, {
        code: "internal",
        message: `The function "${name}" needs the studio's server.`,
        hint: "Run this workflow in the studio, or take out the node that uses it.",
        retryable: false,
      });
    }
    const result = await executeHttp(body, {
      policy,
      signal,
      async findCredential(id) {
        const held = credentials.get(id);
        if (!held) {
          const message = `The credential "${id}" is not in the credentials file.`;
          return failure("invalid_credentials", message, "Add it under this id, and name the file with --credentials.");
        }
        const { credential, allowedHosts } = held;
        return success({ type: credential.type, allowedHosts, open: async () => success(credential) });
      },
    });
    signal.throwIfAborted();
    return result.ok ? { ok: true, body: z.json().parse(result.value) } : refusal(400, asRunError(result.error));
  };
}

function refusal(status: number, error: RunErrorData): FunctionResult {
  return { ok: false, status, error };
}

function asRunError(error: Failure): RunErrorData {
  return { ...error, code: runErrorCodes.find((code) => code === error.code) ?? "internal" };
}
