import { z } from "zod/mini";
import { parseHostList, type HostList } from "./host-list.ts";
import { type OutboundProxies, readProxies } from "./outbound-proxy.ts";

/** What an installation tells its functions. */
export interface FunctionEnvironment {
  supabaseUrl: string;
  /** Another address of the same back end, as visitors know it; null where there is none. */
  publicUrl: string | null;
  anonKey: string;
  serviceRoleKey: string;
  /** What users' tokens are signed with, where that is a shared secret and the operator gave it to the functions. */
  jwtSecret: string | null;
  /** The project's public signing keys, as a JWK Set, where functions are told and ask nobody. */
  publicKeys: { keys: readonly Record<string, unknown>[] } | null;
  /** A Postgres that the functions ask directly, in the place of the REST API; null where they ask that. */
  databaseUrl: string | null;
  /** Private hosts that the operator opened. */
  allowHosts: HostList;
  /** The operator's way to public hosts; undefined where they are called directly. */
  proxies: OutboundProxies | undefined;
  /** Whether this is a local installation, where a model server of a credential may be on this machine. */
  isLocal: boolean;
  /** Whether the embedded gateway stands in front of the functions and says who calls. */
  isBehindGateway: boolean;
  /** Encryption keys for credentials by version, 32 bytes each; empty when the operator set none. */
  credentialKeys: ReadonlyMap<number, Uint8Array<ArrayBuffer>>;
  /** The version that new secrets are sealed with; `null` when the operator set none. */
  credentialKeyVersion: number | null;
  /** Origins besides the functions' own that may call them from a browser. */
  allowedOrigins: readonly string[];
}

/** Names of the variables that functions read; a runtime needs to grant no other. */
export const environmentNames = [
  "SUPABASE_URL",
  "SUPABASE_PUBLISHABLE_KEYS",
  "SUPABASE_SECRET_KEYS",
  "SUPABASE_ANON_KEY",
  "SUPABASE_SERVICE_ROLE_KEY",
  "JWT_SECRET",
  "JWT_PUBLIC_KEYS",
  "FUNCTIONS_DATABASE_URL",
  "STUDIO_ALLOW_HOSTS",
  "STUDIO_HTTP_PROXY",
  "STUDIO_HTTPS_PROXY",
  "STUDIO_NO_PROXY",
  "STUDIO_LOCAL",
  "STUDIO_GATEWAY",
  "STUDIO_URL",
  "CREDENTIALS_KEYS",
  "CREDENTIALS_KEY_VERSION",
  "ALLOWED_ORIGIN",
] as const;

const jsonSchema = z.pipe(
  z.string(),
  z.transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: "custom", message: "is not JSON", input: text });
      return z.NEVER;
    }
  }),
);

const keysSchema = z.pipe(
  z.pipe(jsonSchema, z.record(z.string().check(z.regex(/^[1-9]\d*$/)), z.pipe(z.base64(), z.transform(decodeKey)))),
  z.transform((keys) => new Map(Object.entries(keys).map(([version, key]) => [Number(version), key]))),
);

const keySetSchema = z.object({ keys: z.array(z.record(z.string(), z.json())) });

const environmentSchema = z.pipe(
  z.object({
    SUPABASE_URL: z.url(),
    SUPABASE_ANON_KEY: z.string().check(z.minLength(1)),
    SUPABASE_SERVICE_ROLE_KEY: z.string().check(z.minLength(1)),
    JWT_SECRET: z.optional(z.string()),
    JWT_PUBLIC_KEYS: z.optional(z.pipe(jsonSchema, keySetSchema)),
    FUNCTIONS_DATABASE_URL: z.optional(z.url()),
    STUDIO_ALLOW_HOSTS: z._default(z.string(), ""),
    STUDIO_HTTP_PROXY: z._default(z.string(), ""),
    STUDIO_HTTPS_PROXY: z._default(z.string(), ""),
    STUDIO_NO_PROXY: z._default(z.string(), ""),
    STUDIO_LOCAL: z._default(z.string(), ""),
    STUDIO_GATEWAY: z._default(z.string(), ""),
    STUDIO_URL: z.optional(z.url()),
    CREDENTIALS_KEYS: z.optional(keysSchema),
    CREDENTIALS_KEY_VERSION: z.optional(z.coerce.number().check(z.int(), z.positive())),
    ALLOWED_ORIGIN: z._default(z.string(), ""),
  }),
  z.transform((raw): FunctionEnvironment => {
    const { list, rejected } = parseHostList(raw.STUDIO_ALLOW_HOSTS);
    if (rejected.length > 0)
      throw new Error(`STUDIO_ALLOW_HOSTS has entries that are not hosts: ${rejected.join(", ")}`);
    return {
      supabaseUrl: raw.SUPABASE_URL.replace(/\/+$/, ""),
      publicUrl: raw.STUDIO_URL ?? null,
      anonKey: raw.SUPABASE_ANON_KEY,
      serviceRoleKey: raw.SUPABASE_SERVICE_ROLE_KEY,
      jwtSecret: raw.JWT_SECRET ?? null,
      publicKeys: raw.JWT_PUBLIC_KEYS ?? null,
      databaseUrl: raw.FUNCTIONS_DATABASE_URL ?? null,
      allowHosts: list,
      proxies: readProxies(raw),
      isLocal: raw.STUDIO_LOCAL === "1",
      isBehindGateway: raw.STUDIO_GATEWAY === "1",
      credentialKeys: raw.CREDENTIALS_KEYS ?? new Map(),
      credentialKeyVersion: raw.CREDENTIALS_KEY_VERSION ?? null,
      allowedOrigins: raw.ALLOWED_ORIGIN.split(",")
        .map((origin) => origin.trim())
        .filter((origin) => origin !== ""),
    };
  }),
);

const namedKeysSchema = z.record(z.string(), z.string());

/** The key named `default`, else the first, of a project's keys as JSON by name; undefined where there are none. */
function keyOf(text: string | undefined): string | undefined {
  try {
    const keys = namedKeysSchema.parse(JSON.parse(text ?? "{}"));
    return keys["default"] ?? Object.values(keys)[0];
  } catch {
    return undefined;
  }
}

/**
 * Reads an installation's variables. The keys by name that projects have now (https://supabase.com/docs/guides/functions/secrets) go
 * before the older ones, which may have been switched off. Throws an error that names the variables that are missing or wrong and never shows
 * a value of a key.
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): FunctionEnvironment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const publishable = keyOf(given["SUPABASE_PUBLISHABLE_KEYS"]);
  const secret = keyOf(given["SUPABASE_SECRET_KEYS"]);
  const parsed = environmentSchema.safeParse({
    ...given,
    // Both or neither, so that all calls are made with keys of one kind.
    ...(publishable && secret ? { SUPABASE_ANON_KEY: publishable, SUPABASE_SERVICE_ROLE_KEY: secret } : {}),
  });
  if (parsed.success) return parsed.data;
  const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? "")))];
  throw new Error(`These variables of the functions are missing or wrong: ${names.join(", ")}`);
}

function decodeKey(text: string, context: z.core.ParsePayload): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (bytes.length !== 32) context.issues.push({ code: "custom", message: "is not 32 bytes long", input: text });
  return bytes;
}
