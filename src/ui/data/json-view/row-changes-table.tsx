import { TableFrame } from "./table-frame.tsx";
import { useState } from "react";
import { Button } from "../../buttons/button.tsx";
import { changeText, differs, type RowChange, type RowChanges } from "./row-changes.ts";

const firstRows = 10;
const longestCell = 200;

function cellText(value: unknown): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longestCell ? `${text.slice(0, longestCell)}…` : text;
}

function Cell({ change, column }: { change: RowChange; column: string }) {
  const { before, after } = change;
  if (before !== undefined && after !== undefined && !differs(change, column)) return cellText(after[column]);
  return (
    <>
      {before !== undefined && (
        <del className="block text-danger no-underline">
          <span aria-hidden>− </span>
          {cellText(before[column])}
        </del>
      )}
      {after !== undefined && (
        <ins className="block text-success no-underline">
          <span aria-hidden>+ </span>
          {cellText(after[column])}
        </ins>
      )}
    </>
  );
}

/** The rows that a statement would touch, each cell that differs with what stands there and what would. */
export function RowChangesTable({ found, label }: { found: RowChanges; label: string }) {
  const [shown, setShown] = useState(firstRows);
  const { columns, changes, truncated, affectedRows } = found;
  const left = changes.length - shown;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm font-medium">
        {changeText(found)}
        {truncated && <span className="font-normal text-muted"> · not all {affectedRows} are shown</span>}
      </p>
      {found.notes.map((note) => (
        <p key={note} className="text-sm text-warning">
          {note}
        </p>
      ))}
      {changes.length > 0 && (
        <TableFrame columns={columns} label={label} className="max-h-72 bg-surface">
          {changes.slice(0, shown).map((change, index) => (
            <tr key={index} className="border-b last:border-b-0">
              {columns.map((column) => (
                <td key={column} className="max-w-80 px-2 py-1 align-top wrap-anywhere">
                  <Cell change={change} column={column} />
                </td>
              ))}
            </tr>
          ))}
        </TableFrame>
      )}
      {left > 0 && (
        <Button size="sm" variant="ghost" className="self-start" onClick={() => setShown(changes.length)}>
          Show {left} more
        </Button>
      )}
    </div>
  );
}
