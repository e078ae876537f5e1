import { Buffer } from "node:buffer";
import type { HttpCredential } from "./credential-types.ts";
import { failure, success, type Outcome } from "./failure.ts";
import { listsHost, parseHostList } from "./host-list.ts";
import { type AttachedSecret, pathPlace } from "./guarded-exchange.ts";
import { checkRequestHeaders } from "./request-headers.ts";
import type { Target } from "./target-policy.ts";

/**
 * Whether a credential's secret may be sent to a target: its host must be one of the credential's, and the secret travels
 * encrypted, unless the operator or a local installation vouches for the host.
 */
export function mayCarrySecret(allowedHosts: readonly string[], target: Target): Outcome<null> {
  const { list } = parseHostList(allowedHosts);
  if (list.length === 0) {
    const hint = "Edit the credential and name the host that its secret is for.";
    return failure("invalid_credentials", "The credential lists no allowed host, so it was not used.", hint);
  }
  if (!listsHost(list, target.url)) {
    const hint = "Call one of its hosts, or edit the credential and enter the secret again.";
    return failure(
      "invalid_credentials",
      `The credential is not meant for ${target.url.host}, so nothing was sent.`,
      hint,
    );
  }
  if (target.url.protocol !== "https:" && target.trust === "public") {
    return failure(
      "invalid_credentials",
      "The credential is sent over https only, so nothing was sent.",
      "Use an https URL.",
    );
  }
  return success(null);
}

/**
 * What carries an HTTP credential's secret to a target: a header, a query parameter or a part of the path. Fails for headers
 * that no request may set, and for a path without a place for the key.
 */
export function attachHttpCredential(credential: HttpCredential, target: Target): Outcome<AttachedSecret> {
  switch (credential.type) {
    case "http-basic": {
      const { username, password } = credential.fields;
      const token = Buffer.from(`${username}:${password}`, "utf8").toString("base64");
      return success({ headers: { authorization: `Basic ${token}` } });
    }
    case "http-bearer":
      return success({ headers: { authorization: `Bearer ${credential.fields.token}` } });
    case "oauth2":
    case "oauth2-client": {
      const { grant } = credential.fields;
      if (grant !== undefined) return success({ headers: { authorization: `Bearer ${grant.accessToken}` } });
      return failure(
        "invalid_credentials",
        "Nobody has signed in with this credential yet.",
        "Open Credentials and choose Sign in.",
      );
    }
    case "http-header":
      return asHeader(credential.fields.name, credential.fields.value);
    case "http-api-key": {
      const { name, value, in: place } = credential.fields;
      if (place === "query") return success({ query: { [name]: value } });
      if (place === "header") return asHeader(name, value);
      if (target.url.pathname.includes(pathPlace(name))) return success({ path: { [name]: value } });
      return failure(
        "invalid_credentials",
        `The address has no place for the credential's key, so nothing was sent.`,
        `Write {${name}} where the key belongs in the URL, such as https://api.example.com/bot{${name}}/send.`,
      );
    }
  }
}

function asHeader(name: string, value: string): Outcome<{ headers: Record<string, string> }> {
  const checked = checkRequestHeaders({ [name]: value });
  return checked.ok ? success({ headers: checked.value }) : checked;
}
