import { AsyncLocalStorage } from "node:async_hooks";

/** As whom a request takes turns at the database. */
export interface Party {
  /** An account, an API key, a publication or an address. */
  name: string;
  /** Who of them all it is, where many come as one: their turns go round within the party's. */
  member?: string | undefined;
}

/**
 * Whose request is being answered. The guards around the API need not pass it on; where requests wait for the database, parties
 * take turns by it.
 */
export const currentSender = new AsyncLocalStorage<Party>();

/** A party as the functions send it back to us: `partyHeader`. */
export const partyText = ({ name, member }: Party): string => (member === undefined ? name : `${name}; ${member}`);

/** Reads what `partyText` wrote. */
export function readParty(text: string): Party {
  const [name = "", member] = text.split("; ", 2);
  return { name, member };
}
