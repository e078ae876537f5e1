import { credentialTypes } from "../../engine/credentials/credential-types.ts";
import type { CredentialSummary } from "../../services/services.ts";

/** How a list names a credential, so that two of one name are told apart: name, end of the secret, vendor, and host. */
export function credentialLabel({ name, type, lastFour, allowedHosts }: CredentialSummary): string {
  const kind = Object.entries(credentialTypes).find(([id]) => id === type)?.[1].title ?? type;
  const [host, ...others] = allowedHosts;
  const named = lastFour === "" ? name : `${name} ····${lastFour}`;
  const details = [
    name.toLowerCase().includes(kind.toLowerCase()) ? undefined : kind,
    host === undefined || name === host ? undefined : others.length === 0 ? host : `${host} and ${others.length} more`,
  ];
  return [named, ...details.filter((detail) => detail !== undefined)].join(" · ");
}
