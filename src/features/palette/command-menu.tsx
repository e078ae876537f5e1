import { Command as Cmdk } from "cmdk";
import { useState } from "react";
import { Icon } from "../../ui/icons/icon.tsx";
import { Kbd } from "../../ui/buttons/kbd.tsx";
import { type MenuEntry, type MenuGroup, rankEntries } from "./rank-entries.ts";
import type { MenuSearch } from "./use-menu-search.ts";

const headings =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted";

function Entry({ entry, prefix, onSelect }: { entry: MenuEntry; prefix: string; onSelect: () => void }) {
  const { id, title, icon, detail, keys } = entry;
  return (
    <Cmdk.Item
      value={id}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm data-[selected=true]:bg-hover"
    >
      <span className="text-muted">
        <Icon name={icon} />
      </span>
      <span className="min-w-0 flex-1 truncate">{`${prefix}${title}`}</span>
      {detail !== undefined && <span className="max-w-56 truncate text-xs text-muted">{detail}</span>}
      {keys !== undefined && <Kbd keys={keys} />}
    </Cmdk.Item>
  );
}

/** The entry that Enter chooses: the first one, also where that comes later than the others, until the person goes to another. */
function useSelection(text: string, ids: readonly string[]) {
  const first = ids[0] ?? "";
  const [selected, setSelected] = useState({ text, first, id: first });
  const { id } = selected;
  if (text !== selected.text || first !== selected.first || (id !== first && !ids.includes(id))) {
    const stays = text === selected.text && id !== selected.first && ids.includes(id);
    setSelected({ text, first, id: stays ? id : first });
  }
  return { id, move: (to: string) => setSelected((before) => ({ ...before, id: to })) };
}

interface CommandMenuProps {
  /** What can be found. */
  label: string;
  search: MenuSearch;
  /** What there is; what answers the search is picked from that. */
  groups: readonly MenuGroup[];
  onClose(): void;
}

/** Things to do and places to go to by name, the best first. */
export function CommandMenu({ label, search: { text, setText }, groups, onClose }: CommandMenuProps) {
  const shown = rankEntries(groups, text);
  const ids = shown.flatMap(({ entries }) => entries.map(({ id }) => id));
  const selection = useSelection(text, ids);

  function choose({ perform }: MenuEntry) {
    onClose();
    // After the dialog has given the focus back, so that an action may move it.
    setTimeout(perform, 0);
  }

  return (
    <Cmdk.Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      shouldFilter={false}
      value={selection.id}
      onValueChange={selection.move}
      label={label}
      overlayClassName="fixed inset-0 z-40 animate-fade bg-overlay"
      contentClassName="fixed top-[12vh] left-1/2 z-50 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 animate-rise overflow-hidden rounded-lg border bg-raised shadow-float"
    >
      <div className="flex items-center gap-2.5 border-b px-4 text-muted">
        <Icon name="search" />
        <Cmdk.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder={label}
          className="h-12 flex-1 bg-transparent text-base text-ink outline-none placeholder:text-faint"
        />
      </div>
      <Cmdk.List className={`max-h-[min(660px,72vh)] overflow-y-auto p-2 ${headings}`}>
        <Cmdk.Empty className="py-8 text-center text-muted">Nothing found. Try another word.</Cmdk.Empty>
        {shown.map(({ heading, entries, awaited = 0 }) => (
          <Cmdk.Group key={heading} heading={heading}>
            {awaited > 0 && <div aria-hidden style={{ height: `${awaited * 36}px` }} />}
            {entries.map((entry) => (
              <Entry
                key={entry.id}
                entry={entry}
                prefix={heading.startsWith("Add ") ? "Add " : ""}
                onSelect={() => choose(entry)}
              />
            ))}
          </Cmdk.Group>
        ))}
      </Cmdk.List>
    </Cmdk.Dialog>
  );
}
