import { useId, useRef } from "react";
import { Combobox } from "../../forms/combobox.tsx";
import { newId } from "../../state/shared/new-id.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { Field, type FieldControlProps } from "../../ui/fields/field.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { checkKinds, type CheckRow, checkTexts, hasLines } from "./check-rows.ts";

interface ChecksFieldProps {
  /** "Checks" when absent. */
  label?: string;
  /** What they are for, while there are none. */
  help?: string;
  rows: readonly CheckRow[];
  /** What is wrong, by the keys of rows. */
  problems: Readonly<Record<string, string>>;
  /** Names of the workflow's tools. */
  tools: readonly string[];
  /** Whether the suite has a judge. */
  hasJudge: boolean;
  onChange(rows: readonly CheckRow[]): void;
}

const usualHelp = "What else has to hold, besides what is expected.";

/** What the answer is checked for, one check a row. */
export function ChecksField(props: ChecksFieldProps) {
  const { label = "Checks", help = usualHelp, rows, problems, tools, hasJudge, onChange } = props;
  const list = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const change = (key: string, part: Partial<CheckRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const append = () => {
    onChange([...rows, { key: newId(), kind: "contains", value: "", matchCase: false }]);
    // Once the row is there.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("li:last-child select")?.focus());
  };
  const remove = (key: string) => {
    onChange(rows.filter((row) => row.key !== key));
    add.current?.focus();
  };
  return (
    <Field label={label} group help={rows.length === 0 ? help : undefined}>
      {() => (
        <div className="flex flex-col items-start gap-2">
          {rows.length > 0 && (
            <ul ref={list} aria-label={label} className="flex w-full flex-col gap-2">
              {rows.map((row) => (
                <CheckLine
                  key={row.key}
                  row={row}
                  problem={problems[row.key]}
                  tools={tools}
                  hasJudge={hasJudge}
                  onChange={(part) => change(row.key, part)}
                  onRemove={() => remove(row.key)}
                />
              ))}
            </ul>
          )}
          <Button ref={add} size="sm" icon="plus" onClick={append}>
            Add check
          </Button>
        </div>
      )}
    </Field>
  );
}

interface CheckLineProps {
  row: CheckRow;
  problem: string | undefined;
  tools: readonly string[];
  hasJudge: boolean;
  onChange(part: Partial<CheckRow>): void;
  onRemove(): void;
}

function CheckLine({ row, problem, tools, hasJudge, onChange, onRemove }: CheckLineProps) {
  const id = useId();
  const note = problem ?? (row.kind === "judge" && !hasJudge ? "Choose a judge in the suite's settings." : undefined);
  const control = {
    id,
    "aria-describedby": note === undefined ? undefined : `${id}-note`,
    "aria-invalid": problem === undefined ? undefined : true,
    "aria-required": undefined,
  };
  return (
    <li className="grid grid-cols-[1fr_auto] items-start gap-x-2 gap-y-1 sm:grid-cols-[10rem_1fr_auto]">
      <Select
        aria-label="What is checked"
        className="col-start-1 row-start-1"
        value={row.kind}
        onValueChange={(next) => onChange({ kind: checkKinds.find((kind) => kind === next) ?? row.kind })}
        options={checkKinds.map((kind) => ({ value: kind, label: checkTexts[kind].label }))}
      />
      <div className="col-span-2 col-start-1 row-start-2 sm:col-span-1 sm:col-start-2 sm:row-start-1">
        <Value control={control} row={row} tools={tools} onChange={onChange} />
      </div>
      <IconButton
        icon="x"
        label="Remove this check"
        className="col-start-2 row-start-1 sm:col-start-3"
        onClick={onRemove}
      />
      {note !== undefined && (
        <p
          id={`${id}-note`}
          role={problem === undefined ? undefined : "alert"}
          className={classNames(
            "col-span-2 flex gap-1 text-xs sm:col-start-2 sm:col-end-4",
            problem === undefined ? "text-muted" : "text-danger",
          )}
        >
          {problem !== undefined && <Icon name="circle-alert" size={14} />}
          {note}
        </p>
      )}
    </li>
  );
}

function Value({
  control,
  row,
  tools,
  onChange,
}: {
  control: FieldControlProps;
  row: CheckRow;
  tools: readonly string[];
  onChange(part: Partial<CheckRow>): void;
}) {
  const { kind, value, matchCase } = row;
  const { placeholder, value: label } = checkTexts[kind];
  const change = (next: string) => onChange({ value: next });
  if (kind === "uses-tool") {
    const options = tools.map((tool) => ({ value: tool }));
    return (
      <div>
        <label htmlFor={control.id} className="sr-only">
          {label}
        </label>
        <Combobox control={control} value={value} onChange={change} options={options} placeholder={placeholder} />
      </div>
    );
  }
  if (!hasLines.has(kind)) {
    return (
      <div className="flex items-center gap-2">
        {kind === "cost" && (
          <span aria-hidden className="text-sm text-muted">
            $
          </span>
        )}
        <Input
          {...control}
          aria-label={label}
          mono={kind === "matches"}
          inputMode={kind === "cost" ? "decimal" : "text"}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      </div>
    );
  }
  const looksForText = kind === "contains" || kind === "not-contains";
  return (
    <div className="relative">
      <Textarea
        {...control}
        aria-label={label}
        rows={1}
        maxRows={8}
        className={classNames("block min-h-8 w-full resize-none", looksForText && "pr-10")}
        style={{ minHeight: "32px" }}
        placeholder={placeholder}
        value={value}
        onChange={(event) => change(event.target.value)}
      />
      {looksForText && (
        <div className="absolute top-0.5 right-0.5">
          <IconButton
            icon="case-sensitive"
            label="Match case"
            size="sm"
            pressed={matchCase}
            onClick={() => onChange({ matchCase: !matchCase })}
          />
        </div>
      )}
    </div>
  );
}
