/** Milliseconds for which a deletion can be undone. */
const undoable = 60 * 60 * 1_000;

/** What was deleted before this moment (ISO 8601) is deleted for good by the next deletion. */
export function deletedLongAgo(): string {
  return new Date(Date.now() - undoable).toISOString();
}
