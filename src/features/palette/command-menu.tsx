import { Command as Cmdk } from "cmdk";
import { useCallback, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { useReturnFocus } from "../../ui/return-focus.ts";
import { type MenuEntry, rankEntries } from "./rank-entries.ts";
import { takeTypedAhead, typedAhead } from "./type-ahead.tsx";
import { useMenuGroups } from "./use-menu-groups.ts";

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

/** Everything by name: actions that can be done now, nodes to add, nodes to go to, workflows to open; the best first. */
export default function CommandMenu({ onClose }: { onClose: () => void }) {
  const [{ typed, before }] = useState(typedAhead);
  useReturnFocus(() => before);
  const [search, setSearch] = useState(typed);
  // With what came between the rendering and now, when the keyboard goes over to the menu.
  const takeOver = useCallback((input: HTMLInputElement | null) => {
    const all = input === null ? "" : takeTypedAhead();
    if (all !== "") setSearch(all);
  }, []);
  const groups = useMenuGroups(search);

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
      label="Search actions, nodes and workflows"
      overlayClassName="fixed inset-0 z-40 animate-fade bg-overlay"
      contentClassName="fixed top-[12vh] left-1/2 z-50 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 animate-rise overflow-hidden rounded-lg border bg-raised shadow-float"
    >
      <div className="flex items-center gap-2.5 border-b px-4 text-muted">
        <Icon name="search" />
        <Cmdk.Input
          ref={takeOver}
          autoFocus
          value={search}
          onValueChange={setSearch}
          placeholder="Search actions, nodes and workflows"
          className="h-12 flex-1 bg-transparent text-base text-ink outline-none placeholder:text-faint"
        />
      </div>
      <Cmdk.List className={`max-h-[min(420px,60vh)] overflow-y-auto p-2 ${headings}`}>
        <Cmdk.Empty className="py-8 text-center text-muted">Nothing found. Try another word.</Cmdk.Empty>
        {rankEntries(groups, search).map(({ heading, entries }) => (
          <Cmdk.Group key={heading} heading={heading}>
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
