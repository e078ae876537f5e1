import type { Host } from "../../engine/host.ts";

/**
 * Keeps one SDK client per host and `key`, for as long as the host lives: making one costs as much as a tenth of a short
 * call. `key` must name all that the client depends on besides the host.
 */
export function sharedClients<Client>(): (host: Host, key: string, make: () => Promise<Client>) => Promise<Client> {
  const byHost = new WeakMap<Host, Map<string, Client>>();
  return async (host, key, make) => {
    const known = byHost.get(host);
    const client = known?.get(key);
    if (client) return client;
    const made = await make();
    // Another call may have been faster meanwhile.
    const clients = byHost.get(host) ?? new Map<string, Client>();
    byHost.set(host, clients.set(key, clients.get(key) ?? made));
    return made;
  };
}
