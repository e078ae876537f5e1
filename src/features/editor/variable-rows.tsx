import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { kindOfVariable, nameProblem, type VariableRow } from "./variable-text.ts";

/** Name and value of each variable; problems are shown once `shown` says so. */
export function VariableRows({
  rows,
  shown,
  onChange,
  onAdd,
}: {
  rows: readonly VariableRow[];
  shown: boolean;
  onChange: (rows: VariableRow[]) => void;
  onAdd: () => void;
}) {
  const change = (key: number, part: Partial<VariableRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Variables</legend>
      <p className="text-xs text-muted">
        Templates read them as <code className="font-mono">{"{{vars.name}}"}</code>, the same in every run. They are
        part of exports: keys and passwords belong in a credential.
      </p>
      {rows.map(({ key, name, text }) => {
        const problem = shown ? nameProblem(name, rows) : undefined;
        return (
          <div key={key} className="flex flex-col gap-1">
            <div className="flex items-center gap-2">
              <Input
                aria-label="Name of the variable"
                aria-invalid={problem === undefined ? undefined : true}
                placeholder="name"
                value={name}
                maxLength={64}
                spellCheck={false}
                className="w-36! shrink-0 font-mono"
                onChange={(event) => change(key, { name: event.target.value })}
              />
              <Input
                aria-label={`Value of ${name === "" ? "the variable" : name}`}
                placeholder="text, number or JSON"
                value={text}
                spellCheck={false}
                className="min-w-0 flex-1 font-mono"
                onChange={(event) => change(key, { text: event.target.value })}
              />
              <span className="w-16 shrink-0 text-xs text-muted">{kindOfVariable(text)}</span>
              <IconButton
                size="sm"
                icon="trash-2"
                label={`Remove ${name === "" ? "the variable" : name}`}
                onClick={() => onChange(rows.filter((row) => row.key !== key))}
              />
            </div>
            {problem !== undefined && (
              <p role="alert" className="text-xs text-danger">
                {problem}
              </p>
            )}
          </div>
        );
      })}
      <div>
        <Button size="sm" icon="plus" onClick={onAdd}>
          Add a variable
        </Button>
      </div>
    </fieldset>
  );
}
