import { createContext, type KeyboardEvent, type ReactNode, useContext, useId, useMemo, useState } from "react";
import { classNames } from "../theme/class-names.ts";

/** A row of names with a line under the chosen one, or, within a tab, a switch between views of one thing. */
type TabsLook = "row" | "switch";

interface TabsState {
  id: string;
  look: TabsLook;
  value: string;
  choose: (value: string) => void;
}

const TabsContext = createContext<TabsState>({ id: "", look: "row", value: "", choose: () => {} });

interface TabsProps {
  look?: TabsLook;
  value: string;
  onValueChange: (value: string) => void;
  className?: string;
  children: ReactNode;
}

/** Holds a `TabList` and its `TabPanel`s; only the chosen panel is mounted. */
export function Tabs({ look = "row", value, onValueChange, className, children }: TabsProps) {
  const id = useId();
  const state = useMemo(() => ({ id, look, value, choose: onValueChange }), [id, look, value, onValueChange]);
  return (
    <TabsContext value={state}>
      <div className={classNames("flex min-h-0 flex-col", className)}>{children}</div>
    </TabsContext>
  );
}

/** Arrows go round the tabs and choose at once; Home and End go to the ends. */
function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = tabs.findIndex((tab) => tab === document.activeElement);
  const targets: Record<string, number> = {
    ArrowRight: (at + 1) % tabs.length,
    ArrowLeft: (at <= 0 ? tabs.length : at) - 1,
    Home: 0,
    End: tabs.length - 1,
  };
  const next = tabs[targets[event.key] ?? -1];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
  next.click();
}

const listLooks: Record<TabsLook, string> = {
  row: "flex min-w-0 items-stretch gap-1 overflow-x-auto overflow-y-hidden [scrollbar-width:none]",
  switch: "flex min-w-0 gap-0.5 rounded-md border p-0.5",
};

const tabLooks: Record<TabsLook, string> = {
  row: "border-b-2 border-transparent px-2 text-sm outline-offset-[-2px] aria-selected:border-accent",
  switch: "h-5.5 rounded px-2 text-xs aria-selected:bg-hover",
};

/** The row of tabs. `label` names it for screen readers; `end` stands at the right. */
export function TabList({ label, children, end }: { label: string; children: ReactNode; end?: ReactNode }) {
  const { look } = useContext(TabsContext);
  return (
    <div className={classNames("flex h-9 shrink-0 border-b px-2", look === "row" ? "items-stretch" : "items-center")}>
      <div role="tablist" aria-label={label} onKeyDown={moveByKey} className={listLooks[look]}>
        {children}
      </div>
      {end !== undefined && <div className="ml-auto flex items-center gap-1 pl-2">{end}</div>}
    </div>
  );
}

/** One tab; `count` stands small after its name. */
export function Tab({ value, children, count }: { value: string; children: ReactNode; count?: number }) {
  const tabs = useContext(TabsContext);
  const chosen = tabs.value === value;
  return (
    <button
      type="button"
      role="tab"
      id={`${tabs.id}-tab-${value}`}
      aria-selected={chosen}
      aria-controls={chosen ? `${tabs.id}-panel-${value}` : undefined}
      tabIndex={chosen ? 0 : -1}
      onClick={() => tabs.choose(value)}
      // Something that is dragged over a tab wants to get into its panel.
      onDragEnter={() => tabs.choose(value)}
      className={classNames(
        "inline-flex items-center gap-1.5 whitespace-nowrap text-muted",
        "hover:text-ink aria-selected:font-medium aria-selected:text-ink",
        tabLooks[tabs.look],
      )}
    >
      {children}
      {count !== undefined && count > 0 && <span className="numeric text-xs text-faint">{count}</span>}
    </button>
  );
}

interface TabPanelProps {
  value: string;
  /** Once shown it keeps what is typed in it while another tab is shown. */
  keep?: boolean;
  className?: string;
  children: ReactNode;
}

/** What a tab shows. */
export function TabPanel({ value, keep = false, className, children }: TabPanelProps) {
  const tabs = useContext(TabsContext);
  const isShown = tabs.value === value;
  const [wasShown, setWasShown] = useState(isShown);
  if (isShown && !wasShown) setWasShown(true);
  if (!isShown && !(keep && wasShown)) return null;
  return (
    <div
      role="tabpanel"
      hidden={!isShown}
      id={`${tabs.id}-panel-${value}`}
      aria-labelledby={`${tabs.id}-tab-${value}`}
      tabIndex={-1}
      className={classNames("min-h-0 flex-1 outline-none", className)}
    >
      {children}
    </div>
  );
}
