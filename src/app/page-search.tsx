import { useCallback, useEffect, useState } from "react";
import { useTypedAhead } from "./use-typed-ahead.ts";
import { matchesKeys } from "../state/commands/keymap.ts";
import { Icon } from "../ui/icons/icon.tsx";
import { isCovered, isElsewhere } from "../ui/overlays/keyboard-owner.ts";
import { Tooltip } from "../ui/overlays/tooltip.tsx";
import { whenIdle } from "../state/shared/storage/when-idle.ts";
import { lazyPart } from "../ui/feedback/lazy-part.tsx";
import { DialogOnItsWay } from "../ui/feedback/on-its-way.tsx";

const PageMenu = lazyPart(async () => (await import("./page-menu.tsx")).PageMenu, DialogOnItsWay);

const shortcut = "mod+k";
/**
 * The search of pages and workflows: its button in the rail, which a phone has no room for, and its shortcut. It pushes what
 * follows to the end of the rail. The editor has a search of its own, which knows more.
 */
export function PageSearch({ inEditor }: { inEditor: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const { begin, take } = useTypedAhead();
  const open = useCallback(() => {
    begin();
    setIsOpen(true);
  }, [begin]);
  useEffect(() => whenIdle(() => void PageMenu.preload()), []);
  useEffect(() => {
    if (inEditor) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matchesKeys(event, shortcut) || isElsewhere() || isCovered()) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [inEditor, open]);
  return (
    <>
      <div className="mt-auto max-sm:hidden">
        {!inEditor && (
          <Tooltip content="Search" shortcut={shortcut} side="right">
            <button
              type="button"
              aria-label="Search"
              aria-keyshortcuts="Control+K Meta+K"
              onClick={open}
              className="flex size-9 items-center justify-center rounded-md text-muted transition-colors duration-100 hover:bg-hover hover:text-ink"
            >
              <Icon name="search" size={18} />
            </button>
          </Tooltip>
        )}
      </div>
      {isOpen && <PageMenu typed={take} onClose={() => setIsOpen(false)} />}
    </>
  );
}
