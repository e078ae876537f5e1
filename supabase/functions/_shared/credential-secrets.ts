import { isPlaceholderKey } from "../../../src/engine/vendors/placeholder-key.ts";
import { success, failure, type Outcome } from "./failure.ts";
import { credentialTypes, isModelCredential, isOAuthCredential, type Credential } from "./credential-types.ts";
import { formatHostEntry, parseHostEntry } from "./host-list.ts";
import { vendorBaseUrl } from "./model-vendors.ts";

/** Only of secrets this long are the last four characters shown; of a shorter one they would tell too much. */
const minShownCharacters = 12;

/** The values that must never leave a function, the composed ones included. A key that is no secret is none of them. */
export function secretValues(credential: Credential): string[] {
  if (isModelCredential(credential)) {
    const { apiKey } = credential.fields;
    return isPlaceholderKey(credential.type, apiKey) ? [] : present(apiKey);
  }
  switch (credential.type) {
    case "http-basic":
      return [credential.fields.password, `${credential.fields.username}:${credential.fields.password}`];
    case "http-header":
    case "http-api-key":
      return headerParts(credential.fields.value);
    case "http-bearer":
      return [credential.fields.token];
    case "redis":
      return present(credential.fields.password);
    case "postgres":
      return [credential.fields.connectionString, ...present(connectionPassword(credential.fields.connectionString))];
    case "mcp":
      return Object.values(credential.fields.headers ?? {}).flatMap(headerParts);
    case "mcp-oauth":
    case "oauth2":
    case "oauth2-client": {
      const { clientSecret, grant } = credential.fields;
      // The main secret first: by its end a person tells two sign-ins apart.
      return [grant?.accessToken, grant?.refreshToken, grant?.clientSecret, clientSecret].flatMap(present);
    }
  }
}

/**
 * The last four characters of the main secret, to tell two credentials apart; `null` when it is short or absent. Of a server
 * with sign-in it is the token's, so that `null` means that nobody is signed in.
 */
export function lastFour(credential: Credential): string | null {
  if (isOAuthCredential(credential)) {
    const token = credential.fields.grant?.accessToken;
    if (token === undefined) return null;
    return token.length >= minShownCharacters ? token.slice(-4) : "****";
  }
  const main =
    credential.type === "postgres" ? connectionPassword(credential.fields.connectionString) : mainSecret(credential);
  return main !== undefined && main.length >= minShownCharacters ? main.slice(-4) : null;
}

/**
 * The hosts that a credential's secret may be sent to, as `host` or `host:port`. They follow from the fields, except for
 * the HTTP types, whose user lists them.
 */
export function credentialHosts(credential: Credential, listed: readonly string[]): Outcome<string[]> {
  if (isModelCredential(credential)) return success([vendorBaseUrl(credential).host]);
  switch (credential.type) {
    case "mcp":
      return success([new URL(credential.fields.url).host]);
    case "mcp-oauth": {
      const { url, grant } = credential.fields;
      const places = grant === undefined ? [url] : [url, grant.tokenEndpoint];
      return success([...new Set(places.map((place) => new URL(place).host))]);
    }
    case "redis":
      return success([`${credential.fields.host.toLowerCase()}:${credential.fields.port}`]);
    case "postgres": {
      const url = new URL(credential.fields.connectionString);
      return success([`${url.hostname.toLowerCase()}:${url.port === "" ? "5432" : url.port}`]);
    }
    case "http-basic":
    case "http-header":
    case "http-bearer":
    case "http-api-key":
    case "oauth2":
    case "oauth2-client":
      return listedHosts(listed);
  }
}

/** What decides where a secret travels, and how; when it changes, the secret has to be entered again. */
export function credentialDestination(credential: Credential, hosts: readonly string[]): string {
  const fixed = new Set<string>(credentialTypes[credential.type].secrets);
  const free = new Set(["username", "database"]);
  const fields = Object.entries(credential.fields).filter(([name]) => !fixed.has(name) && !free.has(name));
  return JSON.stringify([hosts.toSorted(), fields.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

function listedHosts(listed: readonly string[]): Outcome<string[]> {
  const hosts = new Set<string>();
  for (const text of listed) {
    const entry = parseHostEntry(text);
    if (entry === null) {
      const hint = "Write only the host, such as api.example.com or api.example.com:8443.";
      return failure("invalid_config", `An allowed host is not a host name: ${text.slice(0, 80)}`, hint);
    }
    hosts.add(formatHostEntry(entry));
  }
  if (hosts.size === 0) {
    const hint = "Name the host that this secret is for, such as api.example.com. It is sent to no other.";
    return failure("invalid_config", "The credential lists no allowed host.", hint);
  }
  return success([...hosts]);
}

function mainSecret(credential: Credential): string | undefined {
  return credential.type === "http-basic" ? credential.fields.password : secretValues(credential)[0];
}

/** A header's secret often follows a scheme word; what follows is a secret by itself. */
function headerParts(value: string): string[] {
  const token = /^\S+ +(\S{8,})$/.exec(value)?.[1];
  return token === undefined ? [value] : [value, token];
}

function connectionPassword(connectionString: string): string | undefined {
  const password = new URL(connectionString).password;
  if (password === "") return undefined;
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

function present(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}
