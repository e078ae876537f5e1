import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { classNames } from "../theme/class-names.ts";
import { Icon } from "../icons/icon.tsx";
import { jsonRows, type JsonRow, levelsWithin } from "./json-rows.ts";

/** More lines than a person looks through would only make the panel slow to open. */
const mostRowsAtFirst = 80;

interface JsonTreeProps {
  value: unknown;
  label: string;
  /** Levels that are open at first; fewer where they would be more than a screenful or two. */
  openDepth?: number;
  /** The template expression of a row by its path; such rows can be dragged into a field. */
  expression?: (path: string) => string | undefined;
  /** Rows can be chosen: a value by Enter or a click, a list or object by the letter I or its button. */
  pick?: { label: string; expression: (path: string) => string | undefined; run: (expression: string) => void };
}

/**
 * JSON as a tree: opens and closes by click and by arrow keys, long texts and lists are cut and shown further on
 * request.
 */
export function JsonTree({ value, label, openDepth = 2, pick, expression }: JsonTreeProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [more, setMore] = useState<Readonly<Record<string, number>>>({});
  const [focused, setFocused] = useState(0);
  const tree = useRef<HTMLUListElement>(null);
  const openLevels = useMemo(() => levelsWithin(value, openDepth, mostRowsAtFirst), [value, openDepth]);
  const rows = useMemo(
    () => jsonRows(value, { isOpen: (path, depth) => depth < openLevels !== toggled.has(path), more }),
    [value, openLevels, toggled, more],
  );

  const expressionOf = pick?.expression ?? expression;

  const choose = (row: JsonRow): boolean => {
    const chosen = row.kind === "more" ? undefined : pick?.expression(row.path);
    if (chosen === undefined) return false;
    pick?.run(chosen);
    return true;
  };

  const press = (row: JsonRow) => {
    if (row.kind !== "leaf" || !choose(row)) toggle(row);
  };

  const toggle = (row: JsonRow) => {
    if (row.kind === "more") setMore((current) => ({ ...current, [row.owner]: row.next }));
    else if (row.kind === "branch") {
      setToggled((current) => {
        const next = new Set(current);
        if (!next.delete(row.path)) next.add(row.path);
        return next;
      });
    } else if (row.cut > 0) setMore((current) => ({ ...current, [row.path]: row.next }));
  };

  const focus = (index: number) => {
    const next = Math.min(rows.length - 1, Math.max(0, index));
    setFocused(next);
    tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[next]?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[focused];
    if (row === undefined) return;
    const open = row.kind === "branch" && row.open;
    if (event.key === "ArrowDown") focus(focused + 1);
    else if (event.key === "ArrowUp") focus(focused - 1);
    else if (event.key === "Home") focus(0);
    else if (event.key === "End") focus(rows.length - 1);
    else if (event.key === "ArrowRight" && row.kind === "branch" && !open) toggle(row);
    else if (event.key === "ArrowRight" && open) focus(focused + 1);
    else if (event.key === "ArrowLeft" && open) toggle(row);
    else if (event.key === "ArrowLeft") focus(rows.findLastIndex((one, at) => at < focused && one.depth < row.depth));
    else if (event.key === "Enter" || event.key === " ") press(row);
    else if (event.key === "i" && choose(row)) event.preventDefault();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <ul ref={tree} role="tree" aria-label={label} className="font-mono text-xs/5" onKeyDown={onKeyDown}>
      {rows.map((row, index) => (
        <li
          key={row.path}
          role="treeitem"
          aria-level={row.depth + 1}
          aria-expanded={row.kind === "branch" ? row.open : undefined}
          tabIndex={index === Math.min(focused, rows.length - 1) ? 0 : -1}
          className={classNames(
            "flex items-start gap-1 rounded-sm wrap-anywhere hover:bg-hover",
            (row.kind !== "leaf" || row.cut > 0 || pick !== undefined) && "cursor-pointer",
            pick !== undefined && "group/row",
          )}
          draggable={row.kind !== "more" && expressionOf?.(row.path) !== undefined}
          onDragStart={(event) => {
            event.stopPropagation();
            event.dataTransfer.setData("text/plain", `{{${expressionOf?.(row.path) ?? ""}}}`);
            event.dataTransfer.effectAllowed = "copy";
          }}
          style={{ paddingLeft: row.depth * 14 }}
          onFocus={() => setFocused(index)}
          onClick={() => press(row)}
        >
          <RowContent row={row} />
          {pick !== undefined && row.kind === "branch" && pick.expression(row.path) !== undefined && (
            <button
              type="button"
              tabIndex={-1}
              className="ml-auto shrink-0 rounded-sm px-1 font-sans text-accent opacity-0 group-hover/row:opacity-100 group-focus/row:opacity-100"
              onClick={(event) => {
                event.stopPropagation();
                choose(row);
              }}
            >
              {pick.label}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function RowContent({ row }: { row: JsonRow }) {
  if (row.kind === "more") return <span className="pl-4 text-accent">{row.text}</span>;
  return (
    <>
      <span className="flex h-5 w-3 shrink-0 items-center text-faint">
        {row.kind === "branch" && <Icon name={row.open ? "chevron-down" : "chevron-right"} size={12} />}
      </span>
      <span className="min-w-0 whitespace-pre-wrap">
        {row.name !== null && (
          <span className="text-muted">
            <bdi>{row.name}</bdi>:{" "}
          </span>
        )}
        {row.kind === "branch" ? (
          <span className="text-faint">{row.summary}</span>
        ) : (
          <bdi className={leafColour[row.type]}>{row.text}</bdi>
        )}
        {row.kind === "leaf" && row.cut > 0 && <span className="text-accent"> … {row.cut} more characters</span>}
      </span>
    </>
  );
}

const leafColour = {
  string: "text-ink",
  number: "text-role-memory",
  boolean: "text-role-tool",
  empty: "text-faint",
} as const;
