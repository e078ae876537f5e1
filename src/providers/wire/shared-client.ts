import type { Host } from "../../engine/host.ts";

/**
 * Keeps one SDK client per host and `key`, for as long as the host lives: making one costs as much as a tenth of a short
 * call. `key` must name all that the client depends on besides the host.
 */
export function sharedClients<Client>(): (host: Host, key: string, make: () => Promise<Client>) => Promise<Client> {
  const byHost = new WeakMap<Host, Map<string, Client>>();
  return async (host, key, make) => {
    const known = byHost.get(host)?.get(key);
    if (known) return known;
    const made = await make();
    const clients = byHost.get(host) ?? new Map<string, Client>();
    // Another call may have been faster meanwhile.
    const client = clients.get(key) ?? made;
    byHost.set(host, clients.set(key, client));
    return client;
  };
}
