import { z } from "zod/mini";
import { readSealed, secretPlaces, writeSealed } from "../../../src/engine/credentials/secret-places.ts";
import { openSecret, type SealBinding, sealSecret } from "./credential-seal.ts";
import type { FunctionContext } from "./endpoint.ts";
import type { Outcome } from "./failure.ts";
import type { FunctionEnvironment } from "./function-environment.ts";

/** Whose secret it is, and what for: see `secretPlaces`. */
interface SecretPlace {
  owner: string;
  workflowId: string;
  place: string;
}

type Keys = Pick<FunctionEnvironment, "credentialKeys" | "credentialKeyVersion">;
type Context = Pick<FunctionContext, "environment" | "supabase" | "background">;

const bindingOf = ({ owner, workflowId, place }: SecretPlace): SealBinding => ({
  owner,
  credentialId: workflowId,
  type: `publication ${place}`,
  allowedHosts: [],
});

/** Seals a secret of a publication, as a credential is: the text that is stored. Fails where the installation has no key. */
export async function sealForPlace(keys: Keys, place: SecretPlace, text: string): Promise<Outcome<string>> {
  const sealed = await sealSecret(keys, bindingOf(place), text);
  return sealed.ok ? { ok: true, value: writeSealed(sealed.value) } : sealed;
}

/** What is stored in which table: secrets of webhooks and chat pages, of notices of failures, headers for collectors. */
export type SecretStore = "doors" | "failures" | "collectors";

/** A secret as the database has it. `name`: within its row. */
interface StoredSecret extends SecretPlace {
  store: SecretStore;
  name: string;
  text: string;
}

/**
 * The text of a stored secret; undefined where it cannot be opened, which the log says. One that is not sealed, since it was stored before
 * there was sealing or past the functions, is as good, and is sealed meanwhile.
 */
export async function openStored(context: Context, secret: StoredSecret): Promise<string | undefined> {
  const sealed = readSealed(secret.text);
  if (sealed === undefined) {
    context.background(sealStored(context, secret).catch(logSealingFailure));
    return secret.text;
  }
  const opened = await openSecret(context.environment, bindingOf(secret), sealed);
  if (opened.ok) return opened.value;
  console.error(
    `A secret of the workflow ${secret.workflowId} (${secret.store}, ${secret.name}) cannot be opened: ${opened.error.message}`,
  );
  return undefined;
}

/** Several secrets of one row, by name; those that cannot be opened are left out. */
export async function openAll(
  context: Context,
  row: { store: SecretStore; owner: string; workflowId: string },
  secrets: Readonly<Record<string, string>>,
  placeOf: (name: string) => string,
): Promise<Record<string, string>> {
  const opened = await Promise.all(
    Object.entries(secrets).map(async ([name, text]) => {
      const secret = await openStored(context, { ...row, name, text, place: placeOf(name) });
      return secret === undefined ? [] : [[name, secret] as const];
    }),
  );
  return Object.fromEntries(opened.flat());
}

const unsealedSchema = z.array(
  z.object({
    owner: z.string(),
    workflowId: z.string(),
    kind: z.string(),
    url: z.string(),
    name: z.string(),
    text: z.string(),
  }),
);

/**
 * Seals what is stored unsealed. Each function does so for what it reads, when it starts, since a migration has no key. A secret that
 * is changed at the same moment stays as it was changed. Does nothing where the installation has no key.
 */
export async function sealUnsealed(context: Context, store: SecretStore): Promise<void> {
  if (context.environment.credentialKeyVersion === null) return;
  const seen = new Set<string>();
  for (;;) {
    const found = unsealedSchema.parse(
      await context.supabase.callAsService("studio_unsealed_secrets", { p_store: store }, "reads"),
    );
    for (const { kind, url, ...secret } of found) {
      const places: Record<SecretStore, string> = {
        doors: secretPlaces.door(kind, secret.name),
        failures: secretPlaces.failures,
        collectors: secretPlaces.collector(url, secret.name),
      };
      if (!(await sealStored(context, { ...secret, store, place: places[store] }))) return;
    }
    const before = seen.size;
    for (const { workflowId, kind, name } of found) seen.add(`${workflowId} ${kind} ${name}`);
    // What cannot be sealed is not tried for ever.
    if (seen.size === before) return;
  }
}

/** Whether it was sealed, or somebody else had changed it. */
async function sealStored(context: Context, secret: StoredSecret): Promise<boolean> {
  const { store, name, place } = secret;
  const [kind = ""] = place.split(" ");
  const sealed = await sealForPlace(context.environment, secret, secret.text);
  if (!sealed.ok) return false;
  await context.supabase.callAsService("studio_seal_secret", {
    p_store: store,
    p_workflow_id: secret.workflowId,
    // What is sealed is bound to the address of a collector, which may have been changed meanwhile.
    p_kind: store === "collectors" ? place.slice("collector ".length, -(name.length + 1)) : kind,
    p_name: name,
    p_unsealed: secret.text,
    p_sealed: sealed.value,
  });
  return true;
}

export function logSealingFailure(error: unknown): void {
  const why = error instanceof Error ? error.message : "unknown";
  console.error(`Stored secrets could not be sealed: ${why}. They are sealed with their next use.`);
}
