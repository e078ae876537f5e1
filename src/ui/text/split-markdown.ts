/**
 * Cuts markdown at blank lines outside of code fences, so that each piece can be shown on its own. Joining the pieces
 * with a blank line gives the text back, up to extra blank lines.
 */
export function splitMarkdown(text: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) fence = mark;
    else if (fence !== null && mark?.startsWith(fence)) fence = null;
    if (fence === null && line.trim() === "") {
      if (lines.length > 0) blocks.push(lines.join("\n"));
      lines = [];
    } else lines.push(line);
  }
  if (lines.length > 0) blocks.push(lines.join("\n"));
  return blocks;
}
