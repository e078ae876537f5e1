import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { classNames } from "../theme/class-names.ts";

interface VirtualListProps {
  /** Names the list for screen readers. */
  label: string;
  count: number;
  /** Pixels; the same for each row. */
  rowHeight: number;
  renderRow: (index: number) => ReactNode;
  /** A key that stays with its row when others are added. */
  rowKey: (index: number) => string;
  /** The chosen row; arrows, Home and End move it. */
  selected: number | null;
  onSelect: (index: number) => void;
  /** A click on a row, or Enter on the chosen one. */
  onOpen?: (index: number) => void;
  /** Keeps the end in view while rows are added, unless the reader scrolled away from it. */
  followEnd?: boolean;
  className?: string;
}

/** Rows beyond the visible ones that are mounted, so that a quick scroll finds them there. */
const overscan = 8;

/** A list of equal rows of which only the visible ones are in the page: ten thousand rows cost as much as thirty. */
export function VirtualList(props: VirtualListProps) {
  const {
    label,
    count,
    rowHeight,
    renderRow,
    rowKey,
    selected,
    onSelect,
    onOpen,
    followEnd = false,
    className,
  } = props;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const followed = useRef(false);
  const lastTop = useRef(0);
  const [view, setView] = useState({ top: 0, height: 400 });

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setView((current) => ({ ...current, height: element.clientHeight || current.height })),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    // The last row often comes with the news that no more will.
    const follows = followEnd || followed.current;
    followed.current = followEnd;
    if (follows && following.current && frame.current) frame.current.scrollTop = count * rowHeight;
  }, [followEnd, count, rowHeight]);

  const show = (index: number) => {
    onSelect(index);
    const element = frame.current;
    if (element === null) return;
    const top = index * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && selected !== null) onOpen?.(selected);
    const next = nextIndex(event.key, selected, count, Math.floor(view.height / rowHeight));
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  };

  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + overscan);
  const indices = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
  return (
    <div
      ref={frame}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={selected === null ? undefined : `${id}-${selected}`}
      className={classNames("relative overflow-auto outline-offset-[-2px]", className)}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
        // Added rows move the end away as well; only the reader moves upwards.
        if (scrollTop + clientHeight >= scrollHeight - rowHeight) following.current = true;
        else if (scrollTop < lastTop.current - 1) following.current = false;
        lastTop.current = scrollTop;
        setView({ top: scrollTop, height: clientHeight });
      }}
    >
      <div style={{ height: count * rowHeight }}>
        {indices.map((index) => (
          <div
            key={rowKey(index)}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === selected}
            aria-setsize={count}
            aria-posinset={index + 1}
            className="absolute inset-x-0"
            style={{ top: index * rowHeight, height: rowHeight }}
            onClick={() => {
              onSelect(index);
              onOpen?.(index);
            }}
          >
            {renderRow(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

function nextIndex(key: string, selected: number | null, count: number, page: number): number | undefined {
  if (count === 0) return undefined;
  const clamp = (index: number) => Math.min(count - 1, Math.max(0, index));
  const from = selected ?? -1;
  switch (key) {
    case "ArrowDown":
      return clamp(from + 1);
    case "ArrowUp":
      return clamp(from - 1);
    case "PageDown":
      return clamp(from + page);
    case "PageUp":
      return clamp(from - page);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
