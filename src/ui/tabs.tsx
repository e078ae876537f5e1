import * as Radix from "radix-ui/tabs";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface TabsProps {
  value: string;
  onValueChange: (value: string) => void;
  className?: string;
  children: ReactNode;
}

/** Holds a `TabList` and its `TabPanel`s; only the chosen panel is mounted. */
export function Tabs({ value, onValueChange, className, children }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onValueChange} className={classNames("flex min-h-0 flex-col", className)}>
      {children}
    </Radix.Root>
  );
}

/** The row of tabs. `label` names it for screen readers; `end` stands at the right. */
export function TabList({ label, children, end }: { label: string; children: ReactNode; end?: ReactNode }) {
  return (
    <div className="flex h-9 shrink-0 items-stretch border-b px-2">
      <Radix.List
        aria-label={label}
        className="flex min-w-0 items-stretch gap-1 overflow-x-auto [scrollbar-width:none]"
      >
        {children}
      </Radix.List>
      {end !== undefined && <div className="ml-auto flex items-center gap-1 pl-2">{end}</div>}
    </div>
  );
}

/** One tab; `count` stands small after its name. */
export function Tab({ value, children, count }: { value: string; children: ReactNode; count?: number }) {
  return (
    <Radix.Trigger
      value={value}
      className={classNames(
        "-mb-px inline-flex items-center gap-1.5 border-b-2 border-transparent px-2 text-sm whitespace-nowrap text-muted outline-offset-[-2px]",
        "hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink",
      )}
    >
      {children}
      {count !== undefined && count > 0 && <span className="numeric text-xs text-faint">{count}</span>}
    </Radix.Trigger>
  );
}

/** What a tab shows. */
export function TabPanel({ value, className, children }: { value: string; className?: string; children: ReactNode }) {
  return (
    <Radix.Content value={value} className={classNames("min-h-0 flex-1 outline-none", className)}>
      {children}
    </Radix.Content>
  );
}
