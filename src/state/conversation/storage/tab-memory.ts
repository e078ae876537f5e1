import { memoryStore, type MemoryStore } from "../../../engine/in-memory/memory-store.ts";
import type { AuthService } from "../../../services/services.ts";

/** The conversations of this tab; another account that signs in finds none of them. */
export function createTabMemory(auth: Pick<AuthService, "onChange">): MemoryStore {
  const store = memoryStore(Date.now);
  let account: string | undefined;
  auth.onChange((current) => {
    if (account !== undefined && current?.id !== account) store.reset();
    account = current?.id;
  });
  return store;
}
