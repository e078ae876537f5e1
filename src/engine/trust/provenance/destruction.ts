/** What tools do that take something away. */
const destroying =
  "archive ban bulkdelete cancel clear decline delete destroy disable discard drop erase expire kick overwrite purge reject remove reset revoke rm terminate trash truncate uninvite unlink unpublish unshare unsubscribe void wipe".split(
    " ",
  );

/** Whether a value is the word for taking something away. */
export function isDestroyingVerb(word: string): boolean {
  return destroying.includes(word.trim().toLowerCase());
}

/** The verbs in a tool's name that take something away: "delete", where it is `delete_file`. */
export function destroyingVerbs(tool: string): string[] {
  const words = tool
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.flatMap((word) => destroying.find((verb) => word.startsWith(verb)) ?? []);
}
