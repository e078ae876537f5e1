import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { Switch } from "../../ui/switch.tsx";
import type { ControlProps } from "../control-props.ts";
import { JsonControl } from "../json-control.tsx";
import { parameterTypes, rowsFrom, schemaFrom, type ParameterRow } from "./parameter-rows.ts";

interface RowProps {
  row: ParameterRow;
  id?: string;
  /** Counts from 1. */
  number: number;
  onChange(row: ParameterRow): void;
  onRemove(): void;
}

const typeOptions = parameterTypes.map((type) => ({ value: type, label: type }));

function Row({ row, id, number, onChange, onRemove }: RowProps) {
  return (
    <li className="flex flex-col gap-1.5 rounded-md border p-2">
      <div className="flex items-center gap-1.5">
        <Input
          id={id}
          mono
          size="sm"
          value={row.name}
          placeholder="name"
          aria-label={`Argument ${number}: name`}
          spellCheck={false}
          onChange={(event) => onChange({ ...row, name: event.target.value.replace(/\s/g, "_") })}
        />
        <div className="w-28 shrink-0">
          <Select
            size="sm"
            aria-label={`Argument ${number}: type`}
            value={row.type}
            options={typeOptions}
            onValueChange={(type) => {
              const known = parameterTypes.find((candidate) => candidate === type);
              if (known !== undefined) onChange({ ...row, type: known });
            }}
          />
        </div>
        <IconButton size="sm" icon="x" label={`Remove argument ${number}`} onClick={onRemove} />
      </div>
      <Input
        size="sm"
        value={row.description}
        placeholder="What it is, for the model"
        aria-label={`Argument ${number}: description`}
        onChange={(event) => onChange({ ...row, description: event.target.value })}
      />
      <label className="flex items-center gap-2 text-xs text-muted">
        <Switch checked={row.required} onCheckedChange={(required) => onChange({ ...row, required })} />
        Required
      </label>
    </li>
  );
}

const blankRow: ParameterRow = { name: "", type: "string", description: "", required: true };

function Rows({ stored, control, onChange }: { stored: ParameterRow[] } & Pick<ControlProps, "control" | "onChange">) {
  const [rows, setRows] = useState(stored);
  // A row that has no name yet is not stored; it stays while nothing else changed from outside.
  const shown = JSON.stringify(schemaFrom(rows)) === JSON.stringify(schemaFrom(stored)) ? rows : stored;
  const change = (next: ParameterRow[]) => {
    setRows(next);
    onChange(schemaFrom(next));
  };
  return (
    <>
      {shown.length > 0 && (
        <ul className="flex flex-col gap-1.5">
          {shown.map((row, index) => (
            <Row
              key={index}
              row={row}
              id={index === 0 ? control.id : undefined}
              number={index + 1}
              onChange={(next) => change(shown.with(index, next))}
              onRemove={() => change(shown.toSpliced(index, 1))}
            />
          ))}
        </ul>
      )}
      <Button
        size="sm"
        variant="ghost"
        icon="plus"
        className="self-start text-muted"
        onClick={() => setRows([...shown, blankRow])}
      >
        Add an argument
      </Button>
    </>
  );
}

/** The arguments of a tool: a row each, or, for a schema that says more, JSON Schema. */
export function ParametersControl(props: ControlProps) {
  const { field, value, control, onChange } = props;
  const stored = rowsFrom(value ?? field.default);
  const [asJson, setAsJson] = useState(false);
  const json = asJson || stored === null;
  return (
    <div
      className="flex flex-col gap-1.5"
      role="group"
      aria-label={field.label}
      aria-describedby={control["aria-describedby"]}
    >
      {json ? <JsonControl {...props} /> : <Rows stored={stored} control={control} onChange={onChange} />}
      {stored !== null && (
        <Button
          size="sm"
          variant="ghost"
          icon="braces"
          className="self-start text-muted"
          onClick={() => setAsJson(!asJson)}
        >
          {json ? "Edit as a list" : "Edit as JSON Schema"}
        </Button>
      )}
    </div>
  );
}
