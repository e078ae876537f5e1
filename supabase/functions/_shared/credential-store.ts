import { z } from "zod/mini";
import type { JsonObject } from "../../../src/engine/json.ts";
import type { Caller } from "./authenticate.ts";
import { openSecret, sealSecret } from "./credential-seal.ts";
import { lastFour } from "./credential-secrets.ts";
import { credentialTypeSchema, parseCredential, type Credential, type CredentialType } from "./credential-types.ts";
import { failure, success, type Failure, type Outcome } from "./failure.ts";
import type { FunctionEnvironment } from "./function-environment.ts";
import { type SupabaseClient, SupabaseError } from "./supabase-client.ts";

/** What may be shown of a credential. */
export interface CredentialRow {
  id: string;
  owner: string;
  name: string;
  type: CredentialType;
  last_four: string | null;
  allowed_hosts: string[];
  key_version: number;
  /** What the owner decided about its use; to be checked with `parseSettings`. */
  settings: JsonObject;
}

const columns = "id,owner,name,type,last_four,allowed_hosts,key_version,settings";

/** A row as the database gives it. */
export const credentialRowSchema = z.object({
  id: z.uuid(),
  owner: z.uuid(),
  name: z.string(),
  type: credentialTypeSchema,
  last_four: z.nullable(z.string()),
  allowed_hosts: z.array(z.string()),
  key_version: z.int(),
  settings: z.record(z.string(), z.json()),
});

/** A sealed secret as the database gives it. */
export const sealedSchema = z.object({ iv: z.string(), ciphertext: z.string(), key_version: z.int() });

const rowsSchema = z.array(credentialRowSchema);
const sealedRowsSchema = z.array(sealedSchema);

/** A credential with its sealed secret, as they were when a call began; null for one without a secret. */
export interface HeldCredential {
  row: CredentialRow;
  sealed: z.infer<typeof sealedSchema> | null;
}

interface CredentialDraft {
  id: string;
  credential: Credential;
  allowedHosts: string[];
  settings?: JsonObject;
}

/** Stored credentials, as functions read and write them. */
export interface CredentialStore {
  /** The row, read with the caller's own rights. Fails with `invalid_credentials` when they have no such credential. */
  find(caller: Caller, id: string): Promise<Outcome<CredentialRow>>;
  /** The secret of a row. Fails closed when row and ciphertext do not belong together. */
  open(row: CredentialRow): Promise<Outcome<Credential>>;
  /** Makes or replaces a credential; the secret is sealed anew with the newest key. Without settings the stored ones stay. */
  save(caller: Caller, draft: CredentialDraft & { name: string }): Promise<Outcome<CredentialRow>>;
  /** As `save`, of a credential that is still there, whose name stays as it is. Fails with `invalid_credentials` for any other. */
  renew(caller: Caller, draft: CredentialDraft): Promise<Outcome<null>>;
  /** Changes what needs no secret. */
  change(caller: Caller, id: string, values: { name: string; settings: JsonObject }): Promise<Outcome<CredentialRow>>;
  remove(caller: Caller, id: string): Promise<Outcome<null>>;
}

/** Credentials of this project's users. Rejects when the database cannot be reached. */
export function createCredentialStore(environment: FunctionEnvironment, supabase: SupabaseClient): CredentialStore {
  /** Writes the row and its secret; a null name stays as it is stored. */
  async function write(
    caller: Caller,
    { id, name, credential, allowedHosts, settings }: CredentialDraft & { name: string | null },
  ): Promise<Outcome<{ shown: string | null; keyVersion: number }>> {
    const { type, fields } = credential;
    const binding = { owner: caller.userId, credentialId: id, type, allowedHosts };
    const sealed = await sealSecret(environment, binding, JSON.stringify(fields));
    if (!sealed.ok) return sealed;
    const { iv, ciphertext, keyVersion } = sealed.value;
    const shown = lastFour(credential);
    const parameters = {
      p_id: id,
      p_owner: caller.userId,
      p_name: name,
      p_type: type,
      p_last_four: shown,
      p_allowed_hosts: allowedHosts,
      p_key_version: keyVersion,
      p_iv: iv,
      p_ciphertext: ciphertext,
      p_settings: settings ?? null,
    };
    try {
      await supabase.callAsService("studio_save_credential", parameters);
    } catch (error) {
      if (name === null && error instanceof SupabaseError && error.code === "42501") return unknownCredential();
      throw error;
    }
    return success({ shown, keyVersion });
  }

  return {
    async find(caller, id) {
      if (!z.uuid().safeParse(id).success) return unknownCredential();
      return ownRow(await supabase.selectAsUser(caller.token, "studio_credentials", columns, byId(id)), caller);
    },

    async open(row) {
      const parameters = { p_id: row.id, p_owner: row.owner };
      const found = sealedRowsSchema.parse(
        await supabase.callAsService("studio_read_credential_secret", parameters, "reads"),
      )[0];
      return unseal(environment, { row, sealed: found ?? null });
    },

    async save(caller, draft) {
      const written = await write(caller, draft);
      if (!written.ok) return written;
      const { id, name, credential, allowedHosts, settings = {} } = draft;
      const { shown, keyVersion } = written.value;
      const row = { id, owner: caller.userId, name, type: credential.type, last_four: shown };
      return success({ ...row, allowed_hosts: allowedHosts, key_version: keyVersion, settings });
    },

    async renew(caller, draft) {
      const written = await write(caller, { ...draft, name: null });
      return written.ok ? success(null) : written;
    },

    async change(caller, id, values) {
      return ownRow(await supabase.updateAsUser(caller.token, "studio_credentials", columns, byId(id), values), caller);
    },

    async remove(caller, id) {
      const deleted = ownRow(
        await supabase.deleteAsUser(caller.token, "studio_credentials", columns, byId(id)),
        caller,
      );
      return deleted.ok ? success(null) : deleted;
    },
  };
}

/**
 * The store for one call that came with the credential of this id, or was told that there is none: asked for it the first
 * time, it answers with what came. Asked again it reads anew, since whoever asks twice wants to know what has changed.
 */
export function withHeld(
  { environment, credentials }: { environment: FunctionEnvironment; credentials: CredentialStore },
  id: string | null,
  held: HeldCredential | null,
): CredentialStore {
  let isFirst = true;
  return {
    ...credentials,
    async find(caller, asked) {
      if (!isFirst || asked !== id) return credentials.find(caller, asked);
      isFirst = false;
      return held?.row.owner === caller.userId && held.row.id === id.toLowerCase()
        ? success(held.row)
        : unknownCredential();
    },
    open: (row) => (row === held?.row ? unseal(environment, held) : credentials.open(row)),
  };
}

async function unseal(environment: FunctionEnvironment, { row, sealed }: HeldCredential): Promise<Outcome<Credential>> {
  if (sealed === null) {
    return failure("invalid_credentials", "The credential has no secret.", "Enter the secret again.");
  }
  const { iv, ciphertext, key_version: keyVersion } = sealed;
  const secret = await openSecret(environment, bindingOf(row), { iv, ciphertext, keyVersion });
  if (!secret.ok) return secret;
  const parsed = parseCredential(row.type, JSON.parse(secret.value));
  if (parsed.success) return success(parsed.data);
  return failure("invalid_credentials", "The stored secret does not fit its type.", "Enter the secret again.");
}

function ownRow(rows: unknown, caller: Caller): Outcome<CredentialRow> {
  const row = rowsSchema.parse(rows).find((candidate) => candidate.owner === caller.userId);
  return row === undefined ? unknownCredential() : success(row);
}

function byId(id: string): Record<string, string> {
  return { id: `eq.${id}` };
}

function bindingOf(row: CredentialRow): { owner: string; credentialId: string; type: string; allowedHosts: string[] } {
  return { owner: row.owner, credentialId: row.id, type: row.type, allowedHosts: row.allowed_hosts };
}

function unknownCredential(): { ok: false; error: Failure } {
  return failure(
    "invalid_credentials",
    "This credential does not exist, or it is not yours.",
    "Choose one of your own credentials on the node.",
  );
}
