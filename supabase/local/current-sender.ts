import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Whose request is being answered: an account, or an address. The guards around the API need not pass it on; where requests
 * wait for the database, senders take turns by it.
 */
export const currentSender = new AsyncLocalStorage<string>();
