import type { NodeRecord } from "../../engine/document/workflow-document.ts";

/** More ways than these would be a list of all nodes. */
const most = 6;

/** The nodes whose titles stand in a text as words of their own, in the order in which they do; of several with one title the first. */
export function nodesIn(
  text: string,
  nodes: readonly Pick<NodeRecord, "id" | "title">[],
): Pick<NodeRecord, "id" | "title">[] {
  const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  const placeOf = (title: string): number => {
    for (let at = text.indexOf(title); at !== -1; at = text.indexOf(title, at + 1))
      if (!isPart(text[at - 1]) && !isPart(text[at + title.length])) return at;
    return -1;
  };
  const seen = new Set<string>();
  return nodes
    .filter(({ title }) => title.trim().length > 1)
    .map((node) => ({ node, at: placeOf(node.title) }))
    .filter(({ node, at }) => at !== -1 && !seen.has(node.title) && seen.add(node.title) !== undefined)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ node: { id, title } }) => ({ id, title }));
}
