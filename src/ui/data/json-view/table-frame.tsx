import type { ReactNode } from "react";
import { classNames } from "../../theme/class-names.ts";

/** A table of data that scrolls by itself, its heads in view; `children` are its rows. */
export function TableFrame({
  columns,
  label,
  className,
  children,
}: {
  columns: readonly string[];
  label: string;
  className: string;
  children: ReactNode;
}) {
  return (
    <div
      className={classNames("overflow-auto rounded-md border", className)}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className="w-full border-collapse text-left font-mono text-xs">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="sticky top-0 border-b bg-surface px-2 py-1 font-semibold whitespace-nowrap"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
