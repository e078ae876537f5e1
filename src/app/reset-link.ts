/** How somebody came who forgot the password: with a token, or, from a hosted Supabase, with a session. */
export interface ResetLink {
  token: string | null;
}

/** Read before anything else looks at the address; null when it is no such link. */
export function resetLinkOf(hash: string): ResetLink | null {
  const [, token] = /^#reset=([\w.-]+)$/.exec(hash) ?? [];
  if (token !== undefined) return { token };
  return /[#&]type=recovery(&|$)/.test(hash) ? { token: null } : null;
}
