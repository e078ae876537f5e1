import { z } from "zod/mini";
import type { FunctionResult, Host } from "../../src/engine/host.ts";
import type { JsonObject } from "../../src/engine/json.ts";
import { runErrorCodes, type RunErrorData } from "../../src/engine/errors.ts";
import { failure, success, type Failure, type Outcome } from "../../supabase/functions/_shared/failure.ts";
import type { TargetPolicy } from "../../supabase/functions/_shared/target-policy.ts";
import { executeHttp, type OpenableCredential } from "../../supabase/functions/execute-http/execute-http.ts";
import { redisMemory } from "../../supabase/functions/redis-memory/redis-memory.ts";
import { sqlTool } from "../../supabase/functions/sql-tool/sql-tool.ts";
import type { CredentialBook } from "./credentials-file.ts";

/** Stands for the user in the keys of conversations that no signed-in user has. */
const owner = "headless";

interface Surroundings {
  policy: TargetPolicy;
  signal: AbortSignal;
  findCredential(id: string): Promise<Outcome<OpenableCredential & { settings: JsonObject }>>;
}

type Run = (body: JsonObject, surroundings: Surroundings) => Promise<Outcome<object>>;

/**
 * The functions that need nothing of the studio's server. A Redis or a Postgres on this machine is fine, since a credential
 * names it.
 */
const functions: Record<string, Run> = {
  "execute-http": executeHttp,
  "redis-memory": (body, surroundings) =>
    redisMemory(body, { ...surroundings, owner, policy: { ...surroundings.policy, allowLoopback: true } }),
  "sql-tool": (body, surroundings) =>
    sqlTool(body, { ...surroundings, policy: { ...surroundings.policy, allowLoopback: true } }),
};

/** `Host.callFunction` without a server: the studio's own functions with their guard, in this process. */
export function createCallFunction(credentials: CredentialBook, policy: TargetPolicy): Host["callFunction"] {
  async function findCredential(id: string): Promise<Outcome<OpenableCredential & { settings: JsonObject }>> {
    const held = credentials.get(id);
    if (!held) {
      const message = `The credential "${id}" is not in the credentials file.`;
      return failure("invalid_credentials", message, "Add it under this id, and name the file with --credentials.");
    }
    const { credential, allowedHosts, settings = {} } = held;
    return success({ type: credential.type, allowedHosts, settings, open: async () => success(credential) });
  }

  return async (name, body, { signal }): Promise<FunctionResult> => {
    const run = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!run) {
      return refusal(404, {
        code: "internal",
        message: `The function "${name}" needs the studio's server.`,
        hint: "Run this workflow in the studio, or take out the node that uses it.",
        retryable: false,
      });
    }
    const result = await run(body, { policy, signal, findCredential });
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
