import { z } from "zod/mini";
import { parseSettings } from "../../../src/engine/credentials/credential-settings.ts";
import type { JsonObject } from "../../../src/engine/json.ts";
import type { Caller } from "../_shared/authenticate.ts";
import { credentialDestination, credentialHosts } from "../_shared/credential-secrets.ts";
import type { CredentialRow, CredentialStore } from "../_shared/credential-store.ts";
import {
  credentialTypes,
  credentialTypeSchema,
  isModelCredential,
  parseCredential,
  type Credential,
} from "../_shared/credential-types.ts";
import { describeIssues } from "../_shared/describe-issues.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import { vendorBaseUrl } from "../_shared/model-vendors.ts";
import { checkTarget, type TargetPolicy } from "../_shared/target-policy.ts";
import type { TestResult } from "./test-result.ts";

/** Makes a credential, or with `id` replaces one: fields that are left out keep what is stored. */
export const saveRequestSchema = z.strictObject({
  action: z.literal("save"),
  id: z.optional(z.uuid()),
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  type: credentialTypeSchema,
  fields: z._default(z.record(z.string().check(z.maxLength(100)), z.unknown()), {}),
  allowedHosts: z.optional(z.array(z.string().check(z.maxLength(260))).check(z.maxLength(50))),
  settings: z.optional(z.record(z.string().check(z.maxLength(100)), z.json())),
  test: z.optional(z.boolean()),
});

type SaveRequest = z.infer<typeof saveRequestSchema>;

/** A credential that was not stored, since it does not work. */
export interface Unsaved {
  unsaved: TestResult;
}

/** Tries a credential, as far as that costs nothing. */
type Test = (credential: Credential, allowedHosts: readonly string[]) => Promise<TestResult>;

interface Draft {
  credential: Credential;
  allowedHosts: string[];
}

/**
 * Makes a credential, or changes one of the caller's own. A new name or other settings leave the stored secret as it is. What would be
 * stored is put to `test` first where the request wants that, and stored only if it passes.
 */
export async function saveCredential(
  request: SaveRequest,
  caller: Caller,
  store: CredentialStore,
  policy: TargetPolicy,
  test: Test,
): Promise<Outcome<CredentialRow | Unsaved>> {
  if (request.id === undefined) {
    const draft = draftCredential(request, request.fields, request.allowedHosts ?? [], policy);
    if (!draft.ok) return draft;
    const settings = draftSettings(request, {});
    if (!settings.ok) return settings;
    const identity = { id: crypto.randomUUID(), name: request.name, settings: settings.value };
    return saveTested(request, { ...identity, ...draft.value }, caller, store, test);
  }
  const row = await store.find(caller, request.id);
  if (!row.ok) return row;
  if (row.value.type !== request.type) {
    const hint = "Make a new credential of the other type.";
    return failure("invalid_config", "The type of a credential cannot be changed.", hint);
  }
  const settings = draftSettings(request, row.value.settings);
  if (!settings.ok) return settings;
  if (Object.keys(givenFields(request)).length === 0 && request.allowedHosts === undefined) {
    return store.change(caller, row.value.id, { name: request.name, settings: settings.value });
  }
  return changeCredential(request, { ...row.value, settings: settings.value }, caller, store, policy, test);
}

async function changeCredential(
  request: SaveRequest,
  row: CredentialRow,
  caller: Caller,
  store: CredentialStore,
  policy: TargetPolicy,
  test: Test,
): Promise<Outcome<CredentialRow | Unsaved>> {
  const given = givenFields(request);
  if (row.type === "mcp-oauth" || row.type.startsWith("oauth2"))
    return changeSignIn(request, given, row, caller, store, policy);
  const identity = { id: row.id, name: request.name, settings: row.settings };
  const listed = request.allowedHosts ?? row.allowed_hosts;
  const secrets: readonly string[] = credentialTypes[row.type].secrets;
  const stored = await store.open(row);
  if (!stored.ok) {
    // A secret that cannot be read any more is replaced as a whole.
    const draft = draftCredential(request, given, listed, policy);
    return draft.ok ? saveTested(request, { ...identity, ...draft.value }, caller, store, test) : stored;
  }
  const draft = draftCredential(request, { ...stored.value.fields, ...given }, listed, policy);
  if (!draft.ok) return draft;
  const before = credentialDestination(stored.value, row.allowed_hosts);
  const after = credentialDestination(draft.value.credential, draft.value.allowedHosts);
  const kept = secrets.filter((name) => name in stored.value.fields && given[name] === undefined);
  if (before !== after && kept.length > 0) {
    return failure(
      "invalid_credentials",
      "The secret would go to another place, so it has to be entered again.",
      `Fill in ${kept.join(" and ")} as well.`,
    );
  }
  return saveTested(request, { ...identity, ...draft.value }, caller, store, test);
}

/** Stores what is ready to be stored, after the test that the request wants. */
async function saveTested(
  request: SaveRequest,
  ready: Parameters<CredentialStore["save"]>[1],
  caller: Caller,
  store: CredentialStore,
  test: Test,
): Promise<Outcome<CredentialRow | Unsaved>> {
  if (request.test === true) {
    const tested = await test(ready.credential, ready.allowedHosts);
    if (!tested.ok) return success({ unsaved: tested });
  }
  return store.save(caller, ready);
}

/** Whatever changes of a credential with sign-in, nobody is signed in with it as it is now; only what is no secret stays. */
async function changeSignIn(
  request: SaveRequest,
  given: Record<string, unknown>,
  row: CredentialRow,
  caller: Caller,
  store: CredentialStore,
  policy: TargetPolicy,
): Promise<Outcome<CredentialRow>> {
  const stored = await store.open(row);
  const {
    clientSecret: _secret,
    grant: _grant,
    ...kept
  }: Record<string, unknown> = stored.ok ? stored.value.fields : {};
  const listed = request.allowedHosts ?? row.allowed_hosts;
  const draft = draftCredential(request, { ...kept, ...given }, listed, policy);
  return draft.ok ? store.save(caller, { id: row.id, name: request.name, settings: {}, ...draft.value }) : draft;
}

/** The settings of the request, or, where it brings none, those that are stored. */
function draftSettings(request: SaveRequest, stored: JsonObject): Outcome<JsonObject> {
  if (request.settings === undefined && Object.keys(stored).length > 0) return success(stored);
  const parsed = parseSettings(request.type, request.settings ?? {});
  return parsed.success ? success(parsed.data) : describeIssues(parsed.error, "The credential's settings");
}

/** Fields that were left empty count as not given; `null` takes an optional field away. */
function givenFields(request: SaveRequest): Record<string, unknown> {
  return Object.fromEntries(Object.entries(request.fields).filter(([, value]) => value !== ""));
}

function draftCredential(
  request: SaveRequest,
  fields: Record<string, unknown>,
  listed: readonly string[],
  policy: TargetPolicy,
): Outcome<Draft> {
  if ("grant" in fields) {
    return failure("invalid_config", "A sign-in cannot be typed in.", "Sign in with your browser.");
  }
  const parsed = parseCredential(request.type, fields);
  if (!parsed.success) return describeIssues(parsed.error, "The credential");
  const credential = parsed.data;
  const hosts = credentialHosts(credential, listed);
  if (!hosts.ok) return hosts;
  if (isModelCredential(credential)) {
    const target = checkTarget(vendorBaseUrl(credential).href, policy);
    if (!target.ok) return target;
    const { url, trust } = target.value;
    if (url.protocol !== "https:" && trust === "public" && credential.fields.apiKey !== undefined) {
      return failure("invalid_config", "The key would be sent unencrypted.", "Use an https base URL.");
    }
  }
  return success({ credential, allowedHosts: hosts.value });
}
