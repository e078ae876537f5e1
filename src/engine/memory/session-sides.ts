import { RunError } from "../run/errors.ts";

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

/** The name of a conversation itself. Throws a RunError for one that stands for what is kept beside another conversation. */
export function conversationName(name: string, nodeId: string): string {
  const { session, side } = readSessionName(name);
  if (side === null) return name;
  throw new RunError({
    code: "invalid_config",
    message: `The session "${name}" is where the ${side} of "${session}" is kept, so it cannot be a conversation.`,
    hint: `Give the conversation a name that does not end in ":${side}".`,
    nodeId,
  });
}
