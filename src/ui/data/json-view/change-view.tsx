import { useMemo } from "react";
import { JsonView } from "./json-view.tsx";
import { rowChangesOf } from "./row-changes.ts";
import { RowChangesTable } from "./row-changes-table.tsx";

/** What a call would do: rows before and after as a table, anything else as it is. */
export function ChangeView({ value, label }: { value: unknown; label: string }) {
  const found = useMemo(() => rowChangesOf(value), [value]);
  return found === null ? (
    <JsonView value={value} label={label} openDepth={3} />
  ) : (
    <RowChangesTable found={found} label={label} />
  );
}
