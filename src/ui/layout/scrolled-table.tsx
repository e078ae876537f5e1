import type { ReactNode } from "react";
import { classNames } from "../theme/class-names.ts";

interface ScrolledTableProps {
  /** What the table shows, for those who reach it by keyboard to scroll it. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** Around a table that may be wider than its place: it scrolls by itself, also by keyboard. */
export function ScrolledTable({ label, className, children }: ScrolledTableProps) {
  return (
    <div tabIndex={0} role="group" aria-label={label} className={classNames("overflow-x-auto", className)}>
      {children}
    </div>
  );
}
