import { lookup } from "node:dns/promises";

/** Finds the addresses of a name, each in text form, in the resolver's order. Rejects when the name has none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** The machine's own resolver, hosts file included. */
const resolveWithSystem: ResolveHost = async (hostname) => {
  const answers = await lookup(hostname, { all: true, verbatim: true });
  return answers.map((answer) => answer.address);
};

/** Milliseconds; whoever runs a name's server can let it wait for as long as they like. */
const longestLookup = 10_000;

/**
 * The addresses of a name, asked for once. Rejects when it has none, when the signal aborts, and after 10 seconds: a lookup
 * cannot be aborted itself.
 */
export function lookUpHost(
  hostname: string,
  signal: AbortSignal | undefined,
  resolve: ResolveHost = resolveWithSystem,
): Promise<readonly string[]> {
  return new Promise((settle, reject) => {
    const stop = (): void => reject(new Error("aborted"));
    const timer = setTimeout(() => reject(new Error("lookup ETIMEDOUT")), longestLookup);
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
    resolve(hostname)
      .then(settle, reject)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
      });
  });
}
