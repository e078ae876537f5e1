import { useState } from "react";
import { checksNothing } from "../../evaluation/assertions/trial-assertions.ts";
import { findStart, startWords } from "../../evaluation/suite/case-start.ts";
import { packCase, storeCaseFiles } from "../../evaluation/suite/case-files.ts";
import { createFilePacker } from "../../engine/file/pack-files.ts";
import {
  type EvaluationCase,
  readCaseLines,
  readCaseList,
  readCaseTable,
} from "../../evaluation/suite/evaluation-case.ts";
import { fileReader, fileStorer } from "../../state/file/file-bytes.ts";
import type { RunnableSuite } from "../../state/evaluation/open-suite.ts";
import type { Services, StoredCase } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { tellLeftFiles } from "../../ui/files/tell-left-files.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { downloadText } from "../../ui/data/download-json.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { FilePicker } from "../../ui/fields/file-picker.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { takeText } from "../../ui/text/take-text.ts";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { CaseDialog } from "./case-dialog.tsx";
import { caseCount, inOneLine } from "./suite-text.ts";
import { CasesTableDialog } from "./cases-table-dialog.tsx";
import { parseTable } from "./parse-table.ts";
import { useSuiteChanges } from "./use-suites.ts";
import { GenerateDialog } from "./generate-dialog.tsx";

/** The cases of a suite: added by hand, from a file, from documents, or (on a run's page) from a run or a step of it. */
export function CasesSection({ open }: { open: RunnableSuite }) {
  const { cases } = open;
  const { files } = useServices();
  const suiteId = open.stored.id;
  const { addCases, removeCase } = useSuiteChanges();
  const [edited, setEdited] = useState<StoredCase | "new" | null>(null);
  const [generating, setGenerating] = useState(false);
  const [isTabling, setIsTabling] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);

  const take = async (name: string, text: string) => {
    try {
      const found = await readCases(name, text);
      setProblems(found.ok ? [] : found.problems);
      if (!found.ok) return;
      const cases: { case: EvaluationCase }[] = [];
      for (const one of found.cases)
        cases.push({ case: await storeCaseFiles(one, found.files.get(one.id) ?? [], fileStorer(files)) });
      addCases.submit(
        { suiteId, cases },
        { onDone: () => showToast(`Added ${caseCount(found.cases.length)}`, {}, "success") },
      );
    } catch (error) {
      showError(error);
    }
  };

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap justify-end gap-2">
        {cases.length > 0 && (
          <Button icon="download" onClick={() => void saveCases(open, files).catch(showError)}>
            Export JSONL
          </Button>
        )}
        <FilePicker
          label="File with cases"
          accept=".jsonl,.ndjson,.json,.csv"
          onFiles={([chosen]) => void takeText(chosen, (text) => void take(chosen?.name ?? "", text))}
          trigger={
            <Button icon="upload" busy={addCases.isPending}>
              Import JSONL or CSV
            </Button>
          }
        />
        <Button icon="book-open" onClick={() => setGenerating(true)}>
          From documents
        </Button>
        <Button icon="list" onClick={() => setIsTabling(true)}>
          Add as table
        </Button>
        <Button icon="plus" onClick={() => setEdited("new")}>
          Add case
        </Button>
      </div>
      {problems.length > 0 && (
        <Notice tone="danger" title="The file was not imported">
          <ul>
            {problems.slice(0, 8).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
      {cases.length === 0 ? (
        <EmptyState
          icon="list"
          title="No cases yet"
          action={
            <Button variant="primary" onClick={() => setIsTabling(true)}>
              Type or paste cases
            </Button>
          }
        >
          Type or paste some as a table, import a file, have a model write some from your documents, or open a run and
          choose “Save as test case” for it or for one of its steps.
        </EmptyState>
      ) : (
        <ul aria-label="Cases" className="overflow-hidden rounded-lg border bg-surface">
          {cases.map((row) => (
            <li key={row.id} className="flex items-center gap-2 border-b py-2 pr-2 pl-4 last:border-b-0">
              <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
                <div className="min-w-0 flex-[1_1_12rem]">
                  <p className="truncate font-medium">{row.case.id}</p>
                  <p className="truncate text-xs text-muted">{inOneLine(row.case.input)}</p>
                  <StaleStep row={row} open={open} />
                </div>
                {row.case.start && <Badge icon="workflow">{startWords(row.case.start, open.document)}</Badge>}
                {checksNothing(open.suite, row.case) && <Badge tone="warning">Checks nothing</Badge>}
                {row.hasCassette && <Badge icon="history">Recorded</Badge>}
              </div>
              <IconButton icon="pencil" label={`Edit ${row.case.id}`} onClick={() => setEdited(row)} />
              <IconButton
                icon="trash-2"
                label={`Delete ${row.case.id}`}
                onClick={() => removeCase.mutate({ suiteId, row })}
              />
            </li>
          ))}
        </ul>
      )}
      {isTabling && <CasesTableDialog open={open} onClose={() => setIsTabling(false)} />}
      {generating && <GenerateDialog open={open} onClose={() => setGenerating(false)} />}
      {edited !== null && (
        <CaseDialog open={open} row={edited === "new" ? undefined : edited} onClose={() => setEdited(null)} />
      )}
    </div>
  );
}

/** Says of a case whose step is gone that it can no longer pass. */
function StaleStep({ row, open }: { row: StoredCase; open: RunnableSuite }) {
  const found = row.case.start && findStart(row.case.start, open.document);
  return found && !found.ok ? <p className="text-xs text-warning">{found.problem}</p> : null;
}

/** The cases as the command reads them, with their files; recordings stay here. */
async function saveCases({ stored, cases }: RunnableSuite, files: Services["files"]): Promise<void> {
  const name = stored.name.replace(/[^\w-]+/g, "-").toLowerCase() || "suite";
  const packer = createFilePacker(fileReader(files));
  const lines: string[] = [];
  for (const row of cases) lines.push(`${JSON.stringify(await packCase(packer, row.case))}\n`);
  downloadText(`${name}.jsonl`, "application/jsonl", lines.join(""));
  tellLeftFiles(packer.left);
}

async function readCases(fileName: string, text: string) {
  const name = fileName.toLowerCase();
  if (name.endsWith(".csv")) {
    return readCaseTable(await parseTable(text));
  }
  return name.endsWith(".json") ? readCaseList(text) : readCaseLines(text);
}
