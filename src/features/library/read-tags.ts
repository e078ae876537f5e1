/** As the database takes them, and how many of others are offered. */
export const tagLimits = { most: 20, characters: 40, offered: 30 } as const;

/** Tags from text between commas: trimmed, each once, whatever its case. */
export function readTags(text: string): { tags: string[]; problem?: string } {
  const tags: string[] = [];
  for (const part of text.split(",")) {
    const tag = part.trim().replace(/\s+/g, " ");
    const isKnown = tags.some((other) => other.toLowerCase() === tag.toLowerCase());
    if (tag !== "" && !isKnown) tags.push(tag);
  }
  if (tags.length > tagLimits.most) return { tags, problem: `Use at most ${tagLimits.most} tags.` };
  const long = tags.find((tag) => tag.length > tagLimits.characters);
  if (long !== undefined) {
    return { tags, problem: `“${long.slice(0, 20)}…” is longer than ${tagLimits.characters} characters.` };
  }
  return { tags };
}
