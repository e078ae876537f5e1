import { useEffect, useMemo, useState } from "react";
import { nextFrame } from "../../state/run/next-frame.ts";
import { hasLevel, type LogLine } from "./log-lines.ts";
import { LogSearch } from "./log-search.ts";
import type { LogLevel } from "./log-text.ts";

/** Work of one frame, in milliseconds. */
const sliceMs = 8;

const none: readonly LogLine[] = [];

interface Found {
  search: LogSearch;
  /** Of these lines. */
  among: readonly LogLine[];
  lines: readonly LogLine[];
  all: boolean;
}

/** The lines of at least a level that have a text, as far as they are found; `searching` while there are more to look at. */
export function useLogSearch(lines: readonly LogLine[], level: LogLevel, text: string) {
  const search = useMemo(() => new LogSearch(text), [text]);
  const [found, setFound] = useState<Found | null>(null);

  useEffect(() => {
    let gone = false;
    const look = () => {
      if (gone) return;
      const end = performance.now() + sliceMs;
      const all = search.look(lines, () => performance.now() < end);
      setFound({ search, among: lines, lines: lines.filter((line) => search.has(line)), all });
      if (!all) nextFrame(look);
    };
    if (!search.isEmpty) look();
    return () => {
      gone = true;
    };
  }, [search, lines]);

  const matching = search.isEmpty ? lines : (found?.lines ?? none);
  const shown = useMemo(() => matching.filter((line) => hasLevel(line, level)), [matching, level]);
  const searching = !search.isEmpty && !(found?.search === search && found.among === lines && found.all);
  return { shown, searching };
}
