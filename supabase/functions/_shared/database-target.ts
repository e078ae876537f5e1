import { failure, success, type Outcome } from "./failure.ts";
import { listsHost, parseHostList } from "./host-list.ts";
import { cancelledFailure, networkFailure } from "./network-failure.ts";
import { lookUpHost, type ResolveHost } from "./resolve-host.ts";
import { blockedAddress, checkTarget, permittedAddresses, type TargetPolicy } from "./target-policy.ts";

/** A server that speaks no HTTP, as a credential names it. */
interface DatabaseServer {
  host: string;
  port: number;
  tls: boolean;
}

interface DatabaseTarget {
  /** Addresses that were checked, at least one; connect to no other. */
  addresses: readonly string[];
  /** The name that TLS verifies; undefined for an address literal. */
  serverName: string | undefined;
}

/**
 * Checks a database server as every way out is checked: its host must be the credential's own, its name is looked up once,
 * and only permitted addresses come back. Over the open internet it must use TLS. `name` is the product, for messages.
 */
export async function checkDatabaseTarget(
  name: string,
  server: DatabaseServer,
  allowedHosts: readonly string[],
  options: { policy: TargetPolicy; resolve?: ResolveHost | undefined; signal?: AbortSignal | undefined },
): Promise<Outcome<DatabaseTarget>> {
  const policy: TargetPolicy = { ...options.policy, servicePorts: true };
  const checked = checkTarget(`${server.tls ? "https" : "http"}://${server.host}:${server.port}/`, policy);
  if (!checked.ok) return checked;
  const target = checked.value;
  if (!listsHost(parseHostList(allowedHosts).list, target.url)) {
    const hint = "Edit the credential and enter the secret again.";
    return failure("invalid_credentials", `The credential is not meant for this ${name} server.`, hint);
  }
  if (!server.tls && target.trust === "public") {
    const message = `The connection to ${name} is not encrypted, so nothing was sent.`;
    return failure("invalid_credentials", message, "Turn on TLS in the credential.");
  }
  if (target.literal !== null) {
    const permitted = permittedAddresses(target, [target.literal], policy);
    return permitted.length === 0
      ? blockedAddress(target.url.host)
      : success({ addresses: permitted, serverName: undefined });
  }
  const answers = await lookUp(target.url.hostname, options);
  if (!answers.ok) return answers;
  const addresses = permittedAddresses(target, answers.value, policy);
  return addresses.length === 0
    ? blockedAddress(target.url.host)
    : success({ addresses, serverName: target.url.hostname });
}

async function lookUp(
  hostname: string,
  { resolve, signal }: { resolve?: ResolveHost | undefined; signal?: AbortSignal | undefined },
): Promise<Outcome<readonly string[]>> {
  try {
    return success(await lookUpHost(hostname, signal, resolve));
  } catch (error) {
    return signal?.aborted === true ? cancelledFailure() : networkFailure(error, hostname);
  }
}
