/** What is kept beside a conversation, in a session of its own in the same memory. */
const sessionSides = ["scratchpad", "summary"] as const;
type SessionSide = (typeof sessionSides)[number];

/** The name under which something beside a session is stored. */
export function sideSession(session: string, side: SessionSide): string {
  return `${session}:${side}`;
}

/** A stored session's name: the conversation's, and what is kept beside it when it is not the conversation itself. */
export function readSessionName(name: string): { session: string; side: SessionSide | null } {
  for (const side of sessionSides) {
    const ending = `:${side}`;
    if (name.endsWith(ending) && name.length > ending.length) return { session: name.slice(0, -ending.length), side };
  }
  return { session: name, side: null };
}
