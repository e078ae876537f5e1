import type { User } from "@supabase/supabase-js";
import type { Account } from "../../../services/services.ts";

export type SessionUser = Pick<User, "id" | "email" | "is_anonymous">;

/** Where the addresses of guests are, which no mail reaches. */
export const guestDomain = "guest.local";

/** Who a session belongs to. */
export function toAccount(user: SessionUser): Account {
  const guest = user.is_anonymous === true || (user.email?.endsWith(`@${guestDomain}`) ?? false);
  return { id: user.id, guest, ...(guest || user.email === undefined ? {} : { email: user.email }) };
}
