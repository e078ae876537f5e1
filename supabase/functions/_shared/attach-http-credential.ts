import { Buffer } from "node:buffer";
import type { HttpCredential } from "./credential-types.ts";
import { failure, success, type Outcome } from "./failure.ts";
import { listsHost, parseHostList } from "./host-list.ts";
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

/** The header or query parameter that carries an HTTP credential's secret. Fails for headers no request may set. */
export function attachHttpCredential(
  credential: HttpCredential,
): Outcome<{ headers?: Record<string, string>; query?: Record<string, string> }> {
  switch (credential.type) {
    case "http-basic": {
      const { username, password } = credential.fields;
      const token = Buffer.from(`${username}:${password}`, "utf8").toString("base64");
      return success({ headers: { authorization: `Basic ${token}` } });
    }
    case "http-bearer":
      return success({ headers: { authorization: `Bearer ${credential.fields.token}` } });
    case "http-header":
      return asHeader(credential.fields.name, credential.fields.value);
    case "http-api-key": {
      const { name, value } = credential.fields;
      return credential.fields.in === "query" ? success({ query: { [name]: value } }) : asHeader(name, value);
    }
  }
}

function asHeader(name: string, value: string): Outcome<{ headers: Record<string, string> }> {
  const checked = checkRequestHeaders({ [name]: value });
  return checked.ok ? success({ headers: checked.value }) : checked;
}
