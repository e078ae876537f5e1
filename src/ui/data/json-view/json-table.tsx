import { useState } from "react";
import { Button } from "../../buttons/button.tsx";
import { TableFrame } from "./table-frame.tsx";
import type { JsonTable } from "./table-of.ts";

const firstRows = 20;
const longestCell = 200;

function cellText(value: unknown): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longestCell ? `${text.slice(0, longestCell)}…` : text;
}

/** A list of objects, one a row; long lists open further on request. */
export function JsonTableView({ table, label }: { table: JsonTable; label: string }) {
  const [shown, setShown] = useState(firstRows);
  const left = table.rows.length - shown;
  return (
    <div className="flex flex-col gap-1">
      <TableFrame columns={table.columns} label={label} className="max-h-96">
        {table.rows.slice(0, shown).map((row, index) => (
          <tr key={index} className="border-b last:border-b-0 hover:bg-hover">
            {row?.map((value, column) => (
              <td
                key={table.columns[column]}
                className={`max-w-80 px-2 py-1 align-top wrap-anywhere ${typeof value === "number" ? "numeric" : ""}`}
              >
                {cellText(value)}
              </td>
            ))}
          </tr>
        ))}
      </TableFrame>
      {left > 0 && (
        <Button size="sm" variant="ghost" className="self-start" onClick={() => setShown(shown + firstRows * 5)}>
          Show {Math.min(left, firstRows * 5)} more of {left}
        </Button>
      )}
    </div>
  );
}
