import { z } from "zod/mini";
import { field } from "../config/field.ts";
import {
  blankAsMissing,
  headerName,
  headerSecret,
  hostName,
  port,
  postgresAddress,
  secret,
  singleLine,
  webAddress,
} from "./credential-values.ts";
import { type VendorId, vendors } from "../vendors/index.ts";
import type { ModelCredentialFields, Vendor } from "../vendors/vendor.ts";
import { oauthGrant } from "./oauth-grant.ts";

/**
 * Every kind of credential: its fields, which of them are secret, and what the secret is for. Pure, so that the site makes
 * its form from the same schemas that the functions check with.
 */

function modelCredential<Fields extends ModelCredentialFields>({ title, credentialFields: fields }: Vendor<Fields>) {
  return { title, use: "model", secrets: ["apiKey"], fields } as const;
}

/** Every vendor's credential; a vendor that is missing here does not compile. */
const modelCredentialTypes = {
  openai: modelCredential(vendors.openai),
  anthropic: modelCredential(vendors.anthropic),
  gemini: modelCredential(vendors.gemini),
  "openai-compatible": modelCredential(vendors["openai-compatible"]),
} as const satisfies Record<VendorId, { title: string }>;

const httpHeaderName = (placeholder: string) =>
  field(headerName(), { label: "Header name", help: "Which header carries the secret.", placeholder, required: true });

const encrypted = (help: string) => field(z._default(z.boolean(), true), { label: "Encrypted connection (TLS)", help });

/** An application that a person registered with an OAuth server. */
const oauthClient = {
  tokenUrl: field(webAddress(), {
    label: "Token URL",
    help: "The address that issues and renews tokens.",
    placeholder: "https://accounts.example.com/oauth/token",
    required: true,
  }),
  clientId: field(singleLine(1_000).check(z.minLength(1, "This field is required.")), {
    label: "Client ID",
    help: "The client ID of the application that you registered with the service.",
    required: true,
  }),
};

/** What it asks for there, and how. */
const oauthRequest = {
  scope: field(blankAsMissing(singleLine(4_000)), {
    label: "Scopes",
    help: "The permissions to ask for, separated by spaces.",
    control: "text",
  }),
  clientProof: field(z._default(z.enum(["body", "header"]), "body"), {
    label: "Client secret sent in",
    help: "Most services accept both.",
    optionTitles: { body: "The form", header: "A header (basic authentication)" },
  }),
  grant: field(z.optional(oauthGrant), { label: "Sign-in", help: "Set by the studio.", hidden: true }),
};

/** Every type: what it is called, what its secret is for (`use`), which of its fields are secret, and their schemas. */
export const credentialTypes = {
  ...modelCredentialTypes,
  "http-basic": {
    title: "HTTP user name and password",
    use: "http",
    secrets: ["password"],
    fields: z.strictObject({
      username: field(singleLine(512).check(z.regex(/^[^:]*$/, "A colon is not allowed here.")), {
        label: "User name",
        help: "Sent with the password by basic authentication.",
      }),
      password: field(secret(), { label: "Password", help: "The secret.", required: true }),
    }),
  },
  "http-header": {
    title: "HTTP header",
    use: "http",
    secrets: ["value"],
    fields: z.strictObject({
      name: httpHeaderName("X-Access-Token"),
      value: field(headerSecret(), { label: "Value", help: "The secret.", required: true }),
    }),
  },
  "http-bearer": {
    title: "HTTP bearer token",
    use: "http",
    secrets: ["token"],
    fields: z.strictObject({
      token: field(headerSecret(), {
        label: "Token",
        help: "Sent as Authorization: Bearer <token>; write it without the word Bearer.",
        required: true,
      }),
    }),
  },
  "http-api-key": {
    title: "API key",
    use: "http",
    secrets: ["value"],
    fields: z.strictObject({
      name: field(headerName(), {
        label: "Header or parameter",
        help: "The name under which the key is sent.",
        placeholder: "X-API-Key",
        required: true,
      }),
      value: field(headerSecret(), { label: "Key", help: "The secret.", required: true }),
      in: field(z._default(z.enum(["query", "header", "path"]), "header"), {
        label: "Sent in",
        help: "A header is safer: addresses end up in logs. Path: put the name in braces where the key belongs, as in /bot{token}/.",
      }),
    }),
  },
  oauth2: {
    title: "OAuth 2 with sign-in",
    use: "http",
    secrets: ["clientSecret", "grant"],
    fields: z.strictObject({
      authorizationUrl: field(webAddress(), {
        label: "Authorization URL",
        help: "The page where a person signs in and gives consent.",
        placeholder: "https://accounts.example.com/oauth/authorize",
        required: true,
      }),
      ...oauthClient,
      clientSecret: field(blankAsMissing(secret()), {
        label: "Client secret",
        help: "Issued with the client ID, if the service gave you one.",
        control: "text",
      }),
      ...oauthRequest,
      parameters: field(blankAsMissing(singleLine(1_000)), {
        label: "More parameters",
        help: "Anything else the authorization URL needs, such as access_type=offline&prompt=consent.",
        control: "text",
      }),
    }),
  },
  "oauth2-client": {
    title: "OAuth 2 for an application",
    use: "http",
    secrets: ["clientSecret", "grant"],
    fields: z.strictObject({
      ...oauthClient,
      clientSecret: field(secret(), {
        label: "Client secret",
        help: "Proves to the service which application is asking.",
        required: true,
      }),
      ...oauthRequest,
      parameters: field(blankAsMissing(singleLine(1_000)), {
        label: "More parameters",
        help: "Anything else the token URL needs, such as audience=https://api.example.com.",
        control: "text",
      }),
    }),
  },
  redis: {
    title: "Redis",
    use: "redis",
    secrets: ["password"],
    fields: z.strictObject({
      host: field(hostName(), {
        label: "Host",
        help: "A name or an address.",
        placeholder: "redis.example.com",
        required: true,
      }),
      port: field(z._default(port(), 6379), { label: "Port", help: "6379 unless the server says otherwise." }),
      username: field(blankAsMissing(singleLine(512)), {
        label: "User name",
        help: "Leave empty for the default user.",
        control: "text",
      }),
      password: field(blankAsMissing(secret()), {
        label: "Password",
        help: "Leave empty when there is none.",
        control: "text",
      }),
      tls: encrypted("Turn off only for a server on this machine."),
      database: field(z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(10_000)), 0), {
        label: "Database",
        help: "Its number; 0 is the first.",
      }),
    }),
  },
  postgres: {
    title: "Postgres",
    use: "postgres",
    secrets: ["connectionString"],
    fields: z.strictObject({
      connectionString: field(postgresAddress(), {
        label: "Connection string",
        help: "A role with few rights is best: agents run what it may run.",
        placeholder: "postgresql://user:password@host:5432/database",
        required: true,
      }),
      tls: encrypted("Turn off only for a database on this machine."),
    }),
  },
  mcp: {
    title: "MCP server",
    use: "mcp",
    secrets: ["headers"],
    fields: z.strictObject({
      url: field(webAddress(), {
        label: "Server URL",
        help: "Of a server that speaks Streamable HTTP.",
        placeholder: "https://mcp.example.com/mcp",
        required: true,
      }),
      headers: field(blankAsMissing(z.record(headerName(), headerSecret())), {
        label: "Headers",
        help: "Such as Authorization with a token. The values are kept secret.",
        control: "key-values",
      }),
    }),
  },
  "mcp-oauth": {
    title: "MCP server with sign-in",
    use: "mcp",
    secrets: ["clientSecret", "grant"],
    fields: z.strictObject({
      url: field(webAddress(), {
        label: "Server URL",
        help: "Of a server that speaks Streamable HTTP and lets you sign in with your browser (OAuth).",
        placeholder: "https://mcp.example.com/mcp",
        required: true,
      }),
      scope: field(blankAsMissing(singleLine(1_000)), {
        label: "Scopes",
        help: "What to ask for, separated by spaces. Empty: what the server names.",
        control: "text",
      }),
      clientId: field(blankAsMissing(singleLine(1_000)), {
        label: "Client ID",
        help: "Only for a server with which the studio cannot register itself.",
        control: "text",
      }),
      clientSecret: field(blankAsMissing(secret()), {
        label: "Client secret",
        help: "Belongs to the client ID, where the server gave one.",
        control: "text",
      }),
      grant: field(z.optional(oauthGrant), { label: "Sign-in", help: "Set by signing in.", hidden: true }),
    }),
  },
} as const satisfies Record<
  string,
  {
    title: string;
    use: "model" | "http" | "redis" | "postgres" | "mcp";
    secrets: readonly string[];
    fields: z.ZodMiniObject;
  }
>;

/** A key of `credentialTypes`, as it is stored. */
export type CredentialType = keyof typeof credentialTypes;

/** The parsed fields of a type, secrets included. */
export type CredentialFields<Type extends CredentialType = CredentialType> = z.infer<
  (typeof credentialTypes)[Type]["fields"]
>;

/** A credential with its secrets, as it exists inside a function for the length of one call. */
export type Credential = { [Type in CredentialType]: { type: Type; fields: CredentialFields<Type> } }[CredentialType];

type TypesFor<Use extends string> = {
  [Type in CredentialType]: (typeof credentialTypes)[Type]["use"] extends Use ? Type : never;
}[CredentialType];

/** A credential for calls of models. */
export type ModelCredential = Extract<Credential, { type: TypesFor<"model"> }>;

/** A credential that signs HTTP requests. */
export type HttpCredential = Extract<Credential, { type: TypesFor<"http"> }>;

/** A credential whose tokens come from an OAuth server and are renewed. */
export type OAuthCredential = Extract<Credential, { type: "mcp-oauth" | "oauth2" | "oauth2-client" }>;

/** Whether its tokens come from an OAuth server. */
export function isOAuthCredential(credential: Credential): credential is OAuthCredential {
  return ["mcp-oauth", "oauth2", "oauth2-client"].includes(credential.type);
}

/** The name of a type. */
export const credentialTypeSchema = z.enum(Object.keys(credentialTypes) as [CredentialType, ...CredentialType[]]);

/** Checks fields against their type. The issues of a failed parse name fields and never show values. */
export function parseCredential(type: CredentialType, fields: unknown): z.core.util.SafeParseResult<Credential> {
  const shapes = Object.entries(credentialTypes).map(([name, { fields: shape }]) =>
    z.object({ type: z.literal(name), fields: shape }),
  );
  const shape = shapes.find((candidate) => candidate.shape.type.def.values.includes(type)) ?? z.never();
  return shape.safeParse({ type, fields }) as z.core.util.SafeParseResult<Credential>;
}

/** Whether it is for calls of models. */
export function isModelCredential(credential: Credential): credential is ModelCredential {
  return credentialTypes[credential.type].use === "model";
}

/** Whether it signs HTTP requests. */
export function isHttpCredential(credential: Credential): credential is HttpCredential {
  return credentialTypes[credential.type].use === "http";
}
