import { z } from "zod/mini";
import { guestDomain } from "./session-account.ts";

/** The account that stands for a guest where the server has no anonymous sign-in. */
interface GuestAccount {
  email: string;
  password: string;
}

/** A browser's storage, or something like it. */
export type KeyValueStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const storageKey = "switchyard:guest";
const stored = z.object({ email: z.string(), password: z.string() });

/** A fresh account with an address that no mail reaches and a password of 256 random bits. */
export function newGuestAccount(): GuestAccount {
  return { email: `guest-${randomHex(8)}@${guestDomain}`, password: randomHex(32) };
}

/** The guest that this browser was before; null when there is none or storage is off. */
export function loadGuestAccount(storage: KeyValueStorage | null): GuestAccount | null {
  try {
    const parsed = stored.safeParse(JSON.parse(storage?.getItem(storageKey) ?? "null"));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Keeps the guest for the next visit; without storage the account lasts as long as the session. */
export function keepGuestAccount(storage: KeyValueStorage | null, account: GuestAccount): void {
  try {
    storage?.setItem(storageKey, JSON.stringify(account));
  } catch {
    // A full or forbidden storage costs the way back after signing out, nothing else.
  }
}

/** Once the guest is an account, this browser knows none. */
export function forgetGuestAccount(storage: KeyValueStorage | null): void {
  try {
    storage?.removeItem(storageKey);
  } catch {
    // What is left is a password that opens nothing.
  }
}

function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
