import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import type { RunnableSuite } from "../../state/evaluation/open-suite.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { isEnter } from "../../ui/fields/composing.ts";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import {
  type CaseColumn,
  caseColumns,
  type CaseTableRow,
  type CellPlace,
  emptyRow,
  pasteCells,
  readCaseRows,
  type RowProblems,
  withEmptyEnd,
} from "./case-table.ts";
import { parseTable } from "./parse-table.ts";
import { caseCount } from "./suite-text.ts";
import { useSuiteChanges } from "./use-suites.ts";

const headings: Readonly<Record<CaseColumn, { label: string; width: string }>> = {
  input: { label: "Input", width: "w-[45%]" },
  expected: { label: "Expected", width: "w-[33%]" },
  id: { label: "Name", width: "w-[22%]" },
};

/** Every row is text fields, which a page cannot draw by the thousand. */
const maxPastedRows = 200;

/** Several cases at once, one a row: typed, or pasted from a spreadsheet. */
export function CasesTableDialog({ open, onClose }: { open: RunnableSuite; onClose: () => void }) {
  const { addCases } = useSuiteChanges();
  const formId = useId();
  const table = useRef<HTMLTableElement>(null);
  const [rows, setRows] = useState<readonly CaseTableRow[]>(() => Array.from({ length: 4 }, () => emptyRow));
  const [problems, setProblems] = useState<RowProblems>({});
  const filled = rows.filter((row) => caseColumns.some((column) => row[column].trim() !== "")).length;

  const set = (next: readonly CaseTableRow[]) => {
    setRows(withEmptyEnd(next));
    setProblems({});
  };
  const change = ({ row, column }: CellPlace, text: string) =>
    set(rows.map((one, index) => (index === row ? { ...one, [column]: text } : one)));
  const submit = () => {
    const taken = open.cases.map((one) => one.case.id);
    const read = readCaseRows(rows, { taken, defaultAssert: open.suite.defaultAssert });
    setProblems(read.ok ? {} : read.problems);
    if (!read.ok || read.cases.length === 0) return focusCell(table.current, "[aria-invalid]");
    addCases.submit(
      { suiteId: open.stored.id, cases: read.cases.map((one) => ({ case: one })) },
      {
        onDone: () => {
          showToast(`Added ${caseCount(read.cases.length)}`, {}, "success");
          onClose();
        },
      },
    );
  };
  const paste = (event: ClipboardEvent, place: CellPlace) => {
    const text = event.clipboardData.getData("text/plain");
    // One line is text for the cell; several of one column are cells, too.
    if (!/[\t\n]/.test(text.trimEnd())) return;
    event.preventDefault();
    parseTable(text, "\t").then((cells) => {
      if (cells.length > maxPastedRows) {
        showToast(
          `${cells.length} rows are too many for this table.`,
          { hint: `Paste at most ${maxPastedRows} at once, or import a CSV file.` },
          "error",
        );
        return;
      }
      setRows((now) => pasteCells(now, place, cells));
      setProblems({});
    }, showError);
  };
  const move = (event: KeyboardEvent, { row, column }: CellPlace) => {
    if (!isEnter(event) || event.shiftKey) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) submit();
    else focusCell(table.current, `[data-cell="${row + 1} ${column}"]`);
  };

  return (
    <Dialog
      open
      modalOnly
      size="xl"
      onOpenChange={onClose}
      title="Add cases"
      description="Type one case per row, or paste cells from a spreadsheet. Enter goes down, Shift+Enter breaks the line."
      footer={
        <DialogActions onCancel={onClose} type="submit" form={formId} disabled={filled === 0} busy={addCases.isPending}>
          {filled === 0 ? "Add" : `Add ${caseCount(filled)}`}
        </DialogActions>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <table ref={table} className="w-full table-fixed border-collapse">
          <thead>
            <tr className="text-left text-xs text-muted">
              {caseColumns.map((column) => (
                <th key={column} scope="col" className={`${headings[column].width} border px-2 py-1 font-medium`}>
                  {headings[column].label}
                </th>
              ))}
              <th className="w-10">
                <span className="sr-only">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index} className="align-top">
                {caseColumns.map((column) => (
                  <Cell
                    key={column}
                    place={{ row: index, column }}
                    value={row[column]}
                    problem={problems[index]?.[column]}
                    onChange={change}
                    onPaste={paste}
                    onKeyDown={move}
                  />
                ))}
                <td className="py-1 pl-2">
                  {caseColumns.some((column) => row[column] !== "") && (
                    <IconButton
                      size="sm"
                      icon="x"
                      label={`Remove row ${index + 1}`}
                      onClick={() => {
                        set(rows.filter((_, at) => at !== index));
                        focusCell(table.current, `[data-cell="${index} input"]`);
                      }}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </form>
    </Dialog>
  );
}

/** Once it is there. */
function focusCell(table: HTMLTableElement | null, selector: string): void {
  requestAnimationFrame(() => table?.querySelector<HTMLElement>(selector)?.focus());
}

interface CellProps {
  place: CellPlace;
  value: string;
  problem: string | undefined;
  onChange: (place: CellPlace, text: string) => void;
  onPaste: (event: ClipboardEvent, place: CellPlace) => void;
  onKeyDown: (event: KeyboardEvent, place: CellPlace) => void;
}

function Cell({ place, value, problem, onChange, onPaste, onKeyDown }: CellProps) {
  const id = useId();
  const { row, column } = place;
  const placeholder = column === "id" && row === 0 ? "Optional" : undefined;
  return (
    <td className="border p-px">
      <Textarea
        rows={1}
        maxRows={5}
        className="block w-full resize-none! rounded-none! not-focus-visible:not-aria-invalid:border-transparent!"
        data-cell={`${row} ${column}`}
        aria-label={`${headings[column].label}, row ${row + 1}`}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? undefined : id}
        placeholder={placeholder}
        maxLength={column === "id" ? 200 : undefined}
        value={value}
        onChange={(event) => onChange(place, event.target.value)}
        onPaste={(event) => onPaste(event, place)}
        onKeyDown={(event) => onKeyDown(event, place)}
      />
      {problem !== undefined && (
        <p id={id} role="alert" className="px-2 pb-1 text-xs text-danger">
          {problem}
        </p>
      )}
    </td>
  );
}
