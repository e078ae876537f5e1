import { openCount } from "../../../engine/document/import-report.ts";
import { sourceWords } from "../../../state/document/import-text.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import type { ImportFindings } from "./read-import.ts";
import type { ReadFile } from "./take-imports.ts";

/** Rows that are shown; all are imported. */
const mostRows = 100;

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** What files hold, before anything of it is stored. */
export function ReadFiles({
  files,
  others,
  onCancel,
  onImport,
}: {
  files: readonly ReadFile[];
  /** Files that were left out. */
  others: number;
  onCancel: () => void;
  onImport: () => void;
}) {
  const workflows = files.reduce((sum, file) => sum + file.workflows.length, 0);
  const failed = files.filter((file) => file.problems.length > 0).length;
  // What cannot be read is seen first.
  const rows = files.toSorted((one, other) => other.problems.length - one.problems.length);
  const summary = [
    counted(workflows, "workflow"),
    failed === 0 ? "" : `${counted(failed, "file")} that cannot be read`,
    others === 0 ? "" : `${counted(others, "other file")} left out`,
  ].filter(Boolean);
  return (
    <section aria-label="What was found" className="rounded-lg border bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-b px-4 py-2.5">
        <p role="status" className="min-w-40 flex-1 font-medium">
          {summary.join(", ")}
        </p>
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" disabled={workflows === 0} onClick={onImport}>
          {workflows <= 1 ? "Import it" : `Import all ${workflows}`}
        </Button>
      </div>
      <ul>
        {rows.slice(0, mostRows).map((file, index) => (
          // A folder may hold two files of one name.
          <li key={`${index} ${file.name}`} className="border-b px-4 py-2 last:border-b-0">
            {file.problems.map((problem) => (
              <p key={problem} className="wrap-anywhere">
                <span className="font-medium">{file.name}</span> <span className="text-danger">{problem}</span>
              </p>
            ))}
            {file.workflows.map((found) => (
              <Found key={found.document.id} found={found} />
            ))}
          </li>
        ))}
      </ul>
      {rows.length > mostRows && (
        <p className="px-4 py-2 text-muted">and {counted(rows.length - mostRows, "more file")}</p>
      )}
    </section>
  );
}

function Found({ found: { document, report, review, credentials } }: { found: ImportFindings }) {
  const open = openCount(document);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 py-0.5">
      <span dir="auto" className="min-w-0 font-medium wrap-anywhere">
        {document.name}
      </span>
      <span className="text-muted">
        {document.importReport && report
          ? `From ${sourceWords(document.importReport.format, report.nodes.total)} · `
          : ""}
        {counted(Object.keys(document.nodes).length, "node")}
        {report ? " here" : ""}
      </span>
      <span className="ml-auto flex flex-wrap gap-1">
        {open > 0 && <Badge>{open} to do</Badge>}
        {open === 0 && credentials.length > 0 && (
          <Badge tone="warning">{counted(credentials.length, "credential")} to choose</Badge>
        )}
        {review.length > 0 && <Badge>{review.length} to review</Badge>}
      </span>
    </div>
  );
}
