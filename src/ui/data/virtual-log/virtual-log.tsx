import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { classNames } from "../../theme/class-names.ts";
import { IconButton } from "../../buttons/icon-button.tsx";
import { LogScope } from "./kept-state.ts";
import { LogView, margin } from "./log-view.ts";
import { markWords } from "./mark-words.ts";
import { indexRows, mountedRows, placeRows, type SizedRow } from "./row-places.ts";
import { heldIndices, useHeldRows } from "./use-held-rows.ts";

/** A row of a log. Rows are compared by identity: one that did not change is not drawn again. */
export interface LogRow extends SizedRow {
  render(): ReactNode;
  /** Something that was said, and not a notice between: counted for screen readers. */
  said?: boolean;
}

export interface LogHandle {
  /** Brings a row to the top of the view. */
  show(key: string): void;
}

interface VirtualLogProps {
  /** Names the log for screen readers. */
  label: string;
  busy: boolean;
  rows: readonly LogRow[];
  /** Whatever stands for the newest entry of the reader's own: when it changes, the end comes into view. */
  newest: string | number;
  /** The row that a search found, and what was searched for. */
  found?: { key: string; words: string } | null;
  handle?: Ref<LogHandle>;
}

/** Up to so many rows are all in the page, where the browser's own search finds them. */
const allMounted = 40;
/** Pixels beyond the view that are filled, so that a quick scroll finds them there. */
const overscan = 800;

/**
 * A log of rows of any height, of which only those near the view are in the page. It stays at its end while text comes
 * in, unless the reader scrolled up, and what the reader looks at does not move when heights above it become known.
 */
export function VirtualLog({ label, busy, rows, newest, found = null, handle }: VirtualLogProps) {
  const [scope] = useState(() => ({}));
  const [view] = useState(() => new LogView());
  const { mount, attach, onScroll, show, showEnd, stay } = view;
  const { sizes, width, height, top, atEnd } = useSyncExternalStore(view.subscribe, view.seen, view.seen);
  const { held, onFocus, onBlur } = useHeldRows();
  useImperativeHandle(handle, () => ({ show }), [show]);

  const indexOf = useMemo(() => indexRows(rows), [rows]);
  const tops = useMemo(() => placeRows(rows, sizes, { start: margin, width }), [rows, sizes, width]);
  useLayoutEffect(() => view.settle({ rows, places: { tops, indexOf }, height }), [view, rows, tops, indexOf, height]);
  // A turn of the reader's own is always brought into view.
  useLayoutEffect(() => view.showNewest(newest), [view, newest]);

  // Scrolled smoothly by the browser, the view would be moved on its way by heights that become known, and end beside its goal.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const first = rows[0];
    if (event.key === "Home" && first !== undefined) show(first.key);
    else if (event.key === "End") showEnd();
    else return;
    event.preventDefault();
  };

  const from = Math.max(0, Math.min(top, (tops[rows.length] ?? 0) - height));
  const shown =
    rows.length <= allMounted
      ? rows.map((_, index) => index)
      : mountedRows(tops, { from: from - overscan, to: from + height + overscan }, heldIndices(indexOf, held));
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={mount}
        role="log"
        aria-label={label}
        aria-busy={busy}
        // Rows that come into the page because the reader scrolls to them are not news.
        aria-live={atEnd ? "polite" : "off"}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px] [container:log/size] [overflow-anchor:none]"
        onScroll={onScroll}
        // Before what is opened has grown.
        onClickCapture={({ target }) => {
          if (target instanceof Element && target.closest("[aria-expanded=false]") !== null) stay();
        }}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={onBlur}
      >
        <LogScope value={scope}>
          <div className="relative mx-auto w-full max-w-3xl" style={{ height: tops[rows.length] }}>
            {shown.map((index) => {
              const row = rows[index];
              return (
                row && (
                  <MountedRow
                    key={row.key}
                    row={row}
                    top={tops[index] ?? 0}
                    place={index + 1}
                    count={rows.length}
                    found={row.key === found?.key ? found.words : undefined}
                    attach={attach}
                  />
                )
              );
            })}
          </div>
        </LogScope>
      </div>
      {!atEnd && (
        <IconButton
          icon="arrow-down"
          label="Go to the latest message"
          variant="secondary"
          tooltipSide="top"
          className="absolute! bottom-3 left-1/2 -translate-x-1/2 rounded-full! bg-raised! shadow-float"
          onClick={showEnd}
        />
      )}
    </div>
  );
}

interface MountedRowProps {
  row: LogRow;
  top: number;
  place: number;
  count: number;
  found?: string;
  attach(element: HTMLElement | null): (() => void) | undefined;
}

const MountedRow = memo(function MountedRow({ row, top, place, count, found, attach }: MountedRowProps) {
  const { key, said = false } = row;
  const element = useRef<HTMLDivElement>(null);
  const mount = useCallback(
    (mounted: HTMLDivElement | null) => {
      element.current = mounted;
      return attach(mounted);
    },
    [attach],
  );
  useEffect(
    () => (found === undefined || element.current === null ? undefined : markWords(element.current, found)),
    [found],
  );
  return (
    <div
      ref={mount}
      data-row={key}
      className={classNames("absolute inset-x-0 flex flex-col gap-4 px-4 pb-4", found !== undefined && "log-found")}
      style={{ top }}
      {...(said && { role: "article", "aria-posinset": place, "aria-setsize": count })}
    >
      {row.render()}
    </div>
  );
});
