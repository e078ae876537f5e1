import { type KeyboardEvent, type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { classNames } from "../theme/class-names.ts";
import { Button } from "../buttons/button.tsx";

/** Keys that go through a list. */
const moves = new Set(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]);

interface MasterDetailProps {
  list: ReactNode;
  detail: ReactNode;
  chosen: boolean;
  onBack: () => void;
  /** A narrow place that is high has the detail below the list. It takes the height of its place. */
  stacks?: boolean;
}

/**
 * A list and the chosen entry's detail: side by side where there is room, one at a time where there is not. `chosen` says
 * whether the reader picked an entry; before that the narrow form shows the list. Whoever goes through the list by keys
 * keeps it until Enter. The keyboard goes along: to the way back, and from there to where it was.
 */
export function MasterDetail({ list, detail, chosen, onBack, stacks = false }: MasterDetailProps) {
  const [walking, setWalking] = useState(false);
  const shown = chosen && !walking;
  const listPart = useRef<HTMLDivElement>(null);
  const backPart = useRef<HTMLDivElement>(null);
  const opener = useRef<Element | null>(null);

  useLayoutEffect(() => {
    // Where both are shown there is no way back, and nothing is hidden.
    const back = backPart.current?.checkVisibility() ? backPart.current.querySelector("button") : null;
    const focused = document.activeElement;
    if (shown && back && focused !== null && listPart.current?.contains(focused)) {
      opener.current = focused;
      back.focus();
    }
  }, [shown]);

  const goBack = () => {
    onBack();
    const from = opener.current;
    opener.current = null;
    // Once the list is there again.
    requestAnimationFrame(() => from instanceof HTMLElement && from.focus());
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event;
    if (!(target instanceof Element) || target.matches("input, textarea")) return;
    if (moves.has(key)) setWalking(true);
    if (key !== "Enter") return;
    setWalking(false);
    // The way back, which has the keyboard then, would take this very key.
    if (target.matches("[role=listbox]")) event.preventDefault();
  };

  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest("[role=option], button")) setWalking(false);
  };

  return (
    <div className={classNames("h-full min-h-0", stacks ? "[container:panes_/_size]" : "@container")}>
      <div className="flex h-full min-h-0 stacked:flex-col">
        <div
          ref={listPart}
          className={classNames(
            "flex h-full min-h-0 w-full min-w-0 flex-col @2xl:flex @2xl:w-[44%] @2xl:max-w-lg @2xl:border-r stacked:flex stacked:h-2/5 stacked:border-b",
            shown && "hidden",
          )}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          {list}
        </div>
        <div
          className={classNames(
            "h-full min-h-0 min-w-0 flex-1 flex-col overflow-y-auto @2xl:flex stacked:flex stacked:h-auto",
            shown ? "flex" : "hidden",
          )}
        >
          <div ref={backPart} className="sticky top-0 z-1 border-b bg-surface p-1 @2xl:hidden stacked:hidden">
            <Button size="sm" variant="ghost" icon="chevron-left" onClick={goBack}>
              All
            </Button>
          </div>
          {detail}
        </div>
      </div>
    </div>
  );
}
