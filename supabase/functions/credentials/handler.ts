import { z } from "zod/mini";
import { secretPlaces } from "../../../src/engine/credentials/secret-places.ts";
import { settingsSchema } from "../../../src/engine/credentials/credential-settings.ts";
import type { Caller } from "../_shared/authenticate.ts";
import type { CredentialRow } from "../_shared/credential-store.ts";
import { describeIssues } from "../_shared/describe-issues.ts";
import { targetPolicy, type FunctionContext } from "../_shared/endpoint.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import { sealForPlace } from "../_shared/door-secrets.ts";
import { jsonEndpoint } from "../_shared/json-endpoint.ts";
import { currentCredential } from "../_shared/oauth/current-grant.ts";
import { findLocalServers } from "./find-local-servers.ts";
import { saveCredential, saveRequestSchema } from "./save-credential.ts";
import { testCredential } from "./test-credential.ts";

const maxRequestBytes = 256 * 1024;

const requestSchema = z.discriminatedUnion("action", [
  saveRequestSchema,
  z.strictObject({ action: z.literal("test"), id: z.uuid() }),
  z.strictObject({ action: z.literal("delete"), id: z.uuid() }),
  z.strictObject({ action: z.literal("find-local") }),
  z.strictObject({
    action: z.literal("seal"),
    workflow: z.uuid(),
    secrets: z.record(z.string().check(z.maxLength(2_500)), z.string().check(z.minLength(1), z.maxLength(8_000))),
  }),
]);

/**
 * `POST /functions/v1/credentials`: the only way in which secrets enter, and none comes back.
 *
 * Requests: `{ action: "save", id?, name, type, fields, allowedHosts?, settings? }` → `{ id, name, type, lastFour,
 * allowedHosts, settings? }`.
 * With `test: true`, one that does not work is not stored, and what was stored before stays: `{ unsaved: { message, hint?, field? } }`.
 * With an `id`, fields that are left out keep their value; secret fields must be given again when the destination
 * changes. The HTTP types need `allowedHosts`. `{ action: "test", id }` → `{ ok, message, hint? }`, by a real call where
 * there is a cheap one. `{ action: "delete", id }` → `{ id }`. `{ action: "find-local" }` → `{ servers: [{ id, baseUrl, models, embeddingModels }] }`,
 * the model servers that answer on this machine, in a studio that only this machine reaches. `{ action: "seal", workflow, secrets }`,
 * secrets of a publication by place (`src/engine/credentials/secret-places.ts`) → `{ sealed }`, each as it is to be stored, which is
 * unsealed where the installation has no key; nothing is stored here. Errors: 400 `invalid_config` (the message names the fields),
 * 400 `invalid_credentials` (unknown, not the caller's, or a secret has to be entered again), 403 `blocked_address`, 401, 429, 500.
 */
export const credentialsEndpoint = jsonEndpoint({
  rateLimit: { bucket: "credentials", perMinute: 60, concurrent: 5, slotSeconds: 60 },
  maxBytes: maxRequestBytes,
  async perform(body, caller, context, request) {
    const parsed = requestSchema.safeParse(body);
    return parsed.success
      ? perform(parsed.data, caller, context, request.signal)
      : describeIssues(parsed.error, "The request");
  },
});

async function perform(
  request: z.infer<typeof requestSchema>,
  caller: Caller,
  context: FunctionContext,
  signal: AbortSignal,
): Promise<Outcome<unknown>> {
  const { credentials: store, environment, resolve } = context;
  const policy = { ...targetPolicy(environment), allowLoopback: environment.isLocal };
  switch (request.action) {
    case "save": {
      const saved = await saveCredential(request, caller, store, policy, (credential, allowedHosts) =>
        testCredential(credential, allowedHosts, { policy, resolve, signal }),
      );
      if (!saved.ok) return saved;
      return success("unsaved" in saved.value ? saved.value : shown(saved.value));
    }
    case "test": {
      const row = await store.find(caller, request.id);
      if (!row.ok) return row;
      const opened = await store.open(row.value);
      if (!opened.ok) return success({ ok: false, message: opened.error.message, hint: opened.error.hint });
      const current = await currentCredential(row.value, opened.value, caller, context, { signal });
      if (!current.ok) return success({ ok: false, message: current.error.message, hint: current.error.hint });
      return success(await testCredential(current.value, row.value.allowed_hosts, { policy, resolve, signal }));
    }
    case "delete": {
      const removed = await store.remove(caller, request.id);
      return removed.ok ? success({ id: request.id }) : removed;
    }
    case "seal": {
      const sealed: Record<string, string> = {};
      const short = [secretPlaces.door("hook", "current"), secretPlaces.failures].find(
        (place) => (request.secrets[place] ?? "x".repeat(8)).length < 8,
      );
      if (short !== undefined)
        return failure("invalid_config", "A secret needs at least 8 characters.", "Enter the whole secret.");
      // As before there was sealing: without a key an installation stores no credential, and yet has doors.
      if (environment.credentialKeyVersion === null) return success({ sealed: request.secrets });
      for (const [place, text] of Object.entries(request.secrets)) {
        const one = await sealForPlace(
          environment,
          { owner: caller.userId, workflowId: request.workflow, place },
          text,
        );
        if (!one.ok) return one;
        sealed[place] = one.value;
      }
      return success({ sealed });
    }
    case "find-local":
      return findLocalServers(environment, { resolve, signal });
  }
}

function shown(row: CredentialRow): Record<string, unknown> {
  const { id, name, type, last_four: lastFour, allowed_hosts: allowedHosts, settings } = row;
  return { id, name, type, lastFour, allowedHosts, ...(settingsSchema(type) === undefined ? {} : { settings }) };
}
