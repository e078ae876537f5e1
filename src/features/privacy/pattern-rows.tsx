import { patternProblem } from "../../engine/run/privacy/mask-text.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { type PatternRow, patternRowProblem } from "./pattern-row.ts";

/** A workflow keeps at most this many, each at most this long. */
const mostPatterns = 20;
const longestPattern = 500;

/** Own regular expressions, each with what is wrong with it. */
export function PatternRows({
  rows,
  onChange,
  onAdd,
}: {
  rows: readonly PatternRow[];
  onChange: (rows: PatternRow[]) => void;
  onAdd: () => void;
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Custom patterns</legend>
      <p className="text-xs text-muted">
        Regular expressions as in RE2, such as <code className="font-mono">employee-[0-9]+</code>. A leading{" "}
        <code className="font-mono">(?i)</code> takes letters in any case.
      </p>
      {rows.map((row, index) => {
        const problem = patternRowProblem(row, patternProblem);
        return (
          <div key={row.key} className="flex flex-col gap-1">
            <div className="flex items-center gap-2">
              <Input
                mono
                aria-label={`Pattern ${index + 1}`}
                aria-invalid={problem === undefined ? undefined : true}
                aria-describedby={problem === undefined ? undefined : `pattern-problem-${row.key}`}
                value={row.pattern}
                maxLength={longestPattern}
                spellCheck={false}
                onChange={(event) =>
                  onChange(rows.map((each) => (each === row ? { ...row, pattern: event.target.value } : each)))
                }
              />
              <IconButton
                size="sm"
                icon="trash-2"
                label={`Remove pattern ${index + 1}`}
                onClick={() => onChange(rows.filter((each) => each !== row))}
              />
            </div>
            {problem !== undefined && (
              <p id={`pattern-problem-${row.key}`} role="alert" className="text-xs text-danger">
                {problem}
              </p>
            )}
          </div>
        );
      })}
      <div>
        <Button size="sm" icon="plus" disabled={rows.length >= mostPatterns} onClick={onAdd}>
          Add a pattern
        </Button>
      </div>
    </fieldset>
  );
}
