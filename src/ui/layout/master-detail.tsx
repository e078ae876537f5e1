import { type KeyboardEvent, type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { classNames } from "../theme/class-names.ts";
import { Button } from "../buttons/button.tsx";

/** Keys that go through a list. */
const moves = new Set(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]);

/**
 * A list and the chosen entry's detail: side by side where there is room, one at a time where there is not. `chosen` says
 * whether the reader picked an entry; before that the narrow form shows the list. Whoever goes through the list by keys
 * keeps it until Enter. The keyboard goes along: to the way back, and from there to where it was.
 */
export function MasterDetail(props: { list: ReactNode; detail: ReactNode; chosen: boolean; onBack: () => void }) {
  const { list, detail, chosen, onBack } = props;
  const [walking, setWalking] = useState(false);
  const shown = chosen && !walking;
  const listPart = useRef<HTMLDivElement>(null);
  const backPart = useRef<HTMLDivElement>(null);
  const opener = useRef<Element | null>(null);

  useLayoutEffect(() => {
    // Where both stand side by side there is no way back, and nothing is hidden.
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
    <div className="@container flex h-full min-h-0">
      <div
        ref={listPart}
        className={classNames(
          "flex h-full min-h-0 w-full min-w-0 flex-col @2xl:flex @2xl:w-[44%] @2xl:max-w-lg @2xl:border-r",
          shown && "hidden",
        )}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        {list}
      </div>
      <div
        className={classNames(
          "h-full min-h-0 min-w-0 flex-1 flex-col overflow-y-auto @2xl:flex",
          shown ? "flex" : "hidden",
        )}
      >
        <div ref={backPart} className="sticky top-0 z-1 border-b bg-surface p-1 @2xl:hidden">
          <Button size="sm" variant="ghost" icon="chevron-left" onClick={goBack}>
            All
          </Button>
        </div>
        {detail}
      </div>
    </div>
  );
}
