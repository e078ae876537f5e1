import { lookup } from "node:dns/promises";

/** Finds the addresses of a name, each in text form, in the resolver's order. Rejects when the name has none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** The machine's own resolver, hosts file included. */
export const resolveWithSystem: ResolveHost = async (hostname) => {
  const answers = await lookup(hostname, { all: true, verbatim: true });
  return answers.map((answer) => answer.address);
};
