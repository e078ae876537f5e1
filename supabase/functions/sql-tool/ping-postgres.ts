import type { CredentialFields } from "../_shared/credential-types.ts";
import { success } from "../_shared/failure.ts";
import type { PostgresOptions } from "./open-postgres.ts";
import { sqlTool } from "./sql-tool.ts";

/** Connects with a credential and says, in words for its owner, who answered or what went wrong. */
export async function pingPostgres(
  fields: CredentialFields<"postgres">,
  allowedHosts: readonly string[],
  options: PostgresOptions,
): Promise<{ ok: boolean; message: string; hint?: string }> {
  const answer = await sqlTool(
    { operation: "test", credential: "tested", timeoutMs: 5_000 },
    {
      ...options,
      findCredential: async () =>
        success({
          type: "postgres",
          allowedHosts,
          settings: {},
          open: async () => success({ type: "postgres", fields }),
        }),
    },
  );
  if (!answer.ok) return { ok: false, message: answer.error.message, hint: answer.error.hint };
  const result = answer.value;
  if (!result.success) return { ok: false, message: result.error, hint: result.suggestion };
  const isSuperuser = result.operation === "test" && result.superuser;
  const version = result.operation === "test" ? ` ${result.serverVersion}` : "";
  return {
    ok: true,
    message: `PostgreSQL${version} answered and accepted the credential.`,
    ...(isSuperuser ? { hint: "Its role may do everything; one with few rights is safer for agents." } : {}),
  };
}
