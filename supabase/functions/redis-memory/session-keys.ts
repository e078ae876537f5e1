import { Buffer } from "node:buffer";

/** Names of a caller's keys in Redis. */
interface SessionKeys {
  /** The list that holds one conversation. */
  list: string;
  /** The sorted set of the caller's conversations, by the time of their last write. */
  index: string;
  /** The conversation's name in the index. */
  member: string;
}

/** The caller's id is part of every key, put there by the function; the braces keep a user's keys in one slot of a cluster. */
function ownerPrefix(keyPrefix: string, owner: string): string {
  return `${keyPrefix}{${owner}}:`;
}

/** The key of the sorted set that lists a user's conversations. */
export function indexKey(keyPrefix: string, owner: string): string {
  return `${ownerPrefix(keyPrefix, owner)}sessions`;
}

/** The key that says that a write was made. No conversation has this name: theirs hold one colon after the owner. */
export function writeKey(keyPrefix: string, owner: string, writeId: string): string {
  return `${ownerPrefix(keyPrefix, owner)}write:made:${encodeName(writeId)}`;
}

/** Names are encoded, so that no session can be spelled like another one's key. A shared one has no workflow. */
export function sessionKeys(
  keyPrefix: string,
  owner: string,
  session: { workflowId: string | null; sessionId: string },
): SessionKeys {
  const workflow = session.workflowId === null ? "" : encodeName(session.workflowId);
  const member = `${workflow}:${encodeName(session.sessionId)}`;
  return { list: `${ownerPrefix(keyPrefix, owner)}${member}`, index: indexKey(keyPrefix, owner), member };
}

/** What a name in the index stands for; null for one that this studio did not write. */
export function readMember(member: string): { workflowId: string | null; sessionId: string } | null {
  const [workflow, session, ...rest] = member.split(":");
  if (workflow === undefined || session === undefined || rest.length > 0) return null;
  try {
    return {
      workflowId: workflow === "" ? null : decodeURIComponent(workflow),
      sessionId: decodeURIComponent(session),
    };
  } catch {
    return null;
  }
}

/** Half a surrogate pair cannot be encoded; it becomes the replacement character. */
function encodeName(name: string): string {
  return encodeURIComponent(Buffer.from(name, "utf8").toString("utf8"));
}
