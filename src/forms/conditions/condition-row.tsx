import type { Json } from "../../engine/json.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { useTextDraft } from "../use-text-draft.ts";
import { type ComparisonDraft, listFrom, valueFor, valuesOf, valueText } from "./condition-draft.ts";

interface ConditionRowProps {
  row: ComparisonDraft;
  /** Names the row for screen readers: `Condition 2.1`. */
  name: string;
  operators: readonly string[];
  onChange(row: ComparisonDraft): void;
  onRemove(): void;
}

function ListInput({ value, name, onChange }: { value: Json | undefined; name: string; onChange(value: Json): void }) {
  const [text, setText] = useTextDraft(valueText(value));
  return (
    <Input
      mono
      size="sm"
      value={text}
      placeholder="values, with commas"
      aria-label={`${name}: values`}
      spellCheck={false}
      onChange={(event) => {
        const list = listFrom(event.target.value);
        setText(event.target.value, valueText(list));
        onChange(list);
      }}
    />
  );
}

interface ValueProps {
  value: Json | undefined;
  label: string;
  placeholder?: string;
  onChange(value: Json): void;
}

/** It grows with what is written: values are often templates, and these are long. */
function ValueInput({ value, label, placeholder = "value", onChange }: ValueProps) {
  return (
    <Textarea
      mono
      rows={1}
      maxRows={6}
      value={valueText(value)}
      placeholder={placeholder}
      aria-label={label}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Values({ row, name, onChange }: Pick<ConditionRowProps, "row" | "name" | "onChange">) {
  const set = (value: Json) => onChange({ ...row, value });
  switch (valuesOf(row.operator)) {
    case "none":
      return null;
    case "one":
      return <ValueInput value={row.value} label={`${name}: value`} onChange={set} />;
    case "list":
      return <ListInput value={row.value} name={name} onChange={set} />;
    case "two": {
      const [low = "", high = ""] = Array.isArray(row.value) ? row.value : [];
      return (
        <div className="flex items-center gap-1.5">
          <ValueInput value={low} label={`${name}: from`} placeholder="from" onChange={(next) => set([next, high])} />
          <span className="text-xs text-muted">and</span>
          <ValueInput value={high} label={`${name}: to`} placeholder="to" onChange={(next) => set([low, next])} />
        </div>
      );
    }
  }
}

/** An operator that there is not, as one in capitals, stays to be seen beside its error until another is chosen. */
function choicesOf(operators: readonly string[], chosen: string) {
  const known = operators.map((operator) => ({ value: operator, label: operator }));
  return operators.includes(chosen)
    ? known
    : [...known, { value: chosen, label: `${chosen} (unknown)`, disabled: true }];
}

/** One comparison: column, operator, and as many values as the operator takes. */
export function ConditionRow({ row, name, operators, onChange, onRemove }: ConditionRowProps) {
  return (
    <li className="flex flex-col gap-1.5">
      <div className="flex items-center gap-1.5">
        <Input
          mono
          size="sm"
          value={row.column}
          placeholder="column"
          aria-label={`${name}: column`}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => onChange({ ...row, column: event.target.value })}
        />
        <div className="w-28 shrink-0">
          <Select
            size="sm"
            aria-label={`${name}: operator`}
            value={row.operator}
            options={choicesOf(operators, row.operator)}
            onValueChange={(operator) => {
              const { value: before, ...rest } = row;
              const value = valueFor(operator, before);
              onChange({ ...rest, operator, ...(value === undefined ? {} : { value }) });
            }}
          />
        </div>
        <IconButton size="sm" icon="x" label={`Remove ${name.toLowerCase()}`} onClick={onRemove} />
      </div>
      <Values row={row} name={name} onChange={onChange} />
    </li>
  );
}
