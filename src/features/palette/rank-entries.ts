import { matchWords } from "../../ui/text/match-words.ts";

/** Something of the command menu that can be chosen. */
export interface MenuEntry {
  id: string;
  title: string;
  /** What else finds it. */
  beside: readonly string[];
  /** Other names of it, which find it before that does. */
  called?: readonly string[] | undefined;
  icon: string;
  detail?: string;
  keys?: string;
  perform(): void;
}

export interface MenuGroup {
  heading: string;
  /** What is there comes before what could be added, however well that answers. */
  of?: "existing" | "new";
  entries: readonly MenuEntry[];
  /** So many entries are on their way; their room is kept, so that what comes after them does not move. */
  awaited?: number;
}

/** Without a search everything as it is; else only what answers it, the best first, and the group that holds it as well. */
export function rankEntries(groups: readonly MenuGroup[], search: string): MenuGroup[] {
  if (search.trim() === "") return groups.filter(({ entries, awaited = 0 }) => entries.length + awaited > 0);
  const ranked = groups.map(({ entries, ...group }) => {
    const scored = entries
      .map((entry) => ({ entry, score: matchWords(search, entry.title, entry.beside, entry.called) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
    return { ...group, best: scored[0]?.score ?? 0, entries: scored.map(({ entry }) => entry) };
  });
  const found = ranked.filter(({ best }) => best > 0).toSorted((a, b) => b.best - a.best);
  const added = found.findIndex((group) => group.of === "new");
  const existing = found.findIndex((group) => group.of === "existing");
  if (added >= 0 && existing > added) found.splice(added, 0, ...found.splice(existing, 1));
  return found.map(({ best: _best, ...group }) => group);
}
