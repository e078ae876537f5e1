import { parseHostList } from "../../supabase/functions/_shared/host-list.ts";
import {
  describeProxies,
  ProxyAddressError,
  proxyVariables,
  readProxies,
} from "../../supabase/functions/_shared/outbound-proxy.ts";
import type { TargetPolicy } from "../../supabase/functions/_shared/target-policy.ts";
import { CommandFailure } from "./command-failure.ts";
import { printLine } from "./print.ts";

/**
 * What a run may reach: the hosts of `--allow-host` besides public ones, and these through the proxies that the environment
 * names, which it says on standard error. Throws CommandFailure.
 */
export async function readPolicy(allowHosts: readonly string[]): Promise<TargetPolicy> {
  const { list, rejected } = parseHostList(allowHosts);
  const wrong = rejected[0];
  if (wrong !== undefined) {
    throw new CommandFailure(
      `--allow-host ${wrong} is not a host.`,
      "Write it as host:port, such as 127.0.0.1:8080.",
      2,
    );
  }
  const variables = proxyVariables(process.env);
  try {
    const line = describeProxies(variables);
    if (line !== null) await printLine(line, process.stderr);
    return { allowHosts: list, proxies: readProxies(variables) };
  } catch (error) {
    throw error instanceof ProxyAddressError ? new CommandFailure(error.message, error.hint, 2) : error;
  }
}
