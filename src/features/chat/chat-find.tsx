import { type KeyboardEvent, useDeferredValue, useMemo } from "react";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { type ChatRow, findRows } from "./chat-row.ts";
import { isEnter } from "../../ui/fields/composing.ts";

/** What is looked for in a conversation, and the row on show; null for the newest one that has it. */
export interface ChatSearch {
  words: string;
  key: string | null;
}

interface ChatFindProps {
  rows: readonly ChatRow[];
  search: ChatSearch;
  /** A change that names a row wants that row shown. */
  onChange: (search: ChatSearch) => void;
  onClose: () => void;
}

/** Looks for words in the whole conversation, of which the page holds only a part. */
export function ChatFind({ rows, search, onChange, onClose }: ChatFindProps) {
  const words = useDeferredValue(search.words);
  const found = useMemo(() => findRows(rows, words), [rows, words]);
  const at = search.key === null ? -1 : found.indexOf(search.key);
  const go = (by: number) => {
    const from = at < 0 ? (by < 0 ? 0 : -1) : at;
    const key = found[(from + by + found.length) % found.length];
    if (key !== undefined) onChange({ ...search, key });
  };
  const type = (typed: string) => onChange({ words: typed, key: findRows(rows, typed).at(-1) ?? null });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onClose();
    }
    if (!isEnter(event)) return;
    event.preventDefault();
    go(event.shiftKey ? 1 : -1);
  };
  const none = found.length === 0;
  return (
    <search className="flex shrink-0 items-center gap-1 border-b px-3 pb-2" onKeyDown={onKeyDown}>
      <Input
        autoFocus
        size="sm"
        type="search"
        aria-label="Find in this conversation"
        placeholder="Find in this conversation"
        className="min-w-0 flex-1"
        value={search.words}
        onChange={(event) => type(event.target.value)}
      />
      <span role="status" className="shrink-0 px-1 text-xs text-muted numeric">
        {words.trim() !== "" && (none ? "Not found" : `${at + 1} of ${found.length.toLocaleString("en")}`)}
      </span>
      <IconButton size="sm" icon="arrow-up" label="Earlier match" disabled={none} onClick={() => go(-1)} />
      <IconButton size="sm" icon="arrow-down" label="Later match" disabled={none} onClick={() => go(1)} />
      <IconButton size="sm" icon="x" label="Close the search" onClick={onClose} />
    </search>
  );
}
