import { useRef } from "react";
import { classNames } from "../theme/class-names.ts";

interface SplitterProps {
  /** What it resizes, for screen readers. */
  label: string;
  /** The line's own direction: a `horizontal` line changes a height, a `vertical` one a width. */
  orientation: "horizontal" | "vertical";
  /** Size in pixels of the pane that it resizes. */
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  /** After a drag or a key, for keeping the size. */
  onCommit?: (value: number) => void;
  /** The resized pane stands after the line (below or right of it): dragging towards it makes it smaller. */
  paneAfter?: boolean;
}

/** A line between two panes, moved by pointer or by arrow keys (Shift: bigger steps; Home and End: the bounds). */
export function Splitter({ label, orientation, value, min, max, onChange, onCommit, paneAfter = true }: SplitterProps) {
  const drag = useRef<{ at: number; value: number } | null>(null);
  const direction = paneAfter ? -1 : 1;
  const clamp = (next: number) => Math.round(Math.min(max, Math.max(min, next)));
  const along = (event: { clientX: number; clientY: number }) =>
    orientation === "horizontal" ? event.clientY : event.clientX;
  const [less, more] = orientation === "horizontal" ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];

  function moveByKey(key: string, big: boolean): number | undefined {
    const step = (big ? 64 : 16) * direction;
    if (key === less) return clamp(value - step);
    if (key === more) return clamp(value + step);
    if (key === "Home") return min;
    if (key === "End") return max;
    return undefined;
  }

  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      className={classNames(
        "group relative z-10 shrink-0 touch-none bg-line transition-colors duration-100 hover:bg-accent focus-visible:bg-accent",
        orientation === "horizontal"
          ? "h-px cursor-row-resize before:absolute before:inset-x-0 before:-inset-y-1"
          : "w-px cursor-col-resize before:absolute before:-inset-x-1 before:inset-y-0",
      )}
      onPointerDown={(event) => {
        const line = event.currentTarget;
        line.setPointerCapture(event.pointerId);
        // Where there is little room, the pane is smaller than it is meant to be.
        const pane = (paneAfter ? line.nextElementSibling : line.previousElementSibling)?.getBoundingClientRect();
        const size = orientation === "horizontal" ? pane?.height : pane?.width;
        drag.current = { at: along(event), value: size ?? value };
      }}
      onPointerMove={(event) => {
        if (drag.current !== null) onChange(clamp(drag.current.value + direction * (along(event) - drag.current.at)));
      }}
      onPointerUp={() => {
        if (drag.current !== null) onCommit?.(value);
        drag.current = null;
      }}
      onKeyDown={(event) => {
        const next = moveByKey(event.key, event.shiftKey);
        if (next === undefined) return;
        event.preventDefault();
        onChange(next);
        onCommit?.(next);
      }}
    />
  );
}
