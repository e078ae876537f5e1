import { type ReactNode, useState } from "react";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { schemaFrom, type SchemaRow, type Shape, shapeTypes } from "./schema-rows.ts";

const typeLabels: Record<Shape["type"], string> = {
  string: "text",
  number: "number",
  integer: "whole number",
  boolean: "true or false",
  array: "list",
  object: "object",
};

const typeOptions = shapeTypes.map((type) => ({ value: type, label: typeLabels[type] }));

/** A shape of another type, with what that type begins with. */
function withType<Value extends Shape>(shape: Value, name: string): Value {
  const type = shapeTypes.find((candidate) => candidate === name) ?? shape.type;
  const { options: _options, fields: _fields, items: _items, ...rest } = shape;
  const begun = type === "object" ? { fields: [] } : type === "array" ? { items: { type: "string" as const } } : {};
  return { ...(rest as Value), type, ...begun };
}

function TypeSelect({ shape, label, onChange }: { shape: Shape; label: string; onChange(type: string): void }) {
  return (
    <div className="w-32 shrink-0">
      <Select size="sm" aria-label={label} value={shape.type} options={typeOptions} onValueChange={onChange} />
    </div>
  );
}

/** The allowed values of a text, while there are any or one is being entered. */
function Options({ shape, label, onChange }: { shape: Shape; label: string; onChange(options: string[]): void }) {
  const stored = (shape.options ?? []).join(", ");
  const [text, setText] = useState(stored);
  const listOf = (typed: string) => [...new Set(typed.split(",").map((option) => option.trim()))].filter(Boolean);
  // What is typed stays as typed, unless the value changed from outside.
  const shown = listOf(text).join(", ") === stored ? text : stored;
  return (
    <Input
      size="sm"
      value={shown}
      placeholder="Any text, or only these: small, medium, large"
      aria-label={`${label}: allowed values`}
      onChange={(event) => {
        setText(event.target.value);
        onChange(listOf(event.target.value));
      }}
    />
  );
}

/** What belongs to a type: allowed texts, an object's fields, a list's items. */
function ShapeDetails<Value extends Shape>({
  shape,
  label,
  onChange,
}: {
  shape: Value;
  label: string;
  onChange(shape: Value): void;
}): ReactNode {
  switch (shape.type) {
    case "string":
      return <Options shape={shape} label={label} onChange={(options) => onChange({ ...shape, options })} />;
    case "object":
      return (
        <div className="border-l pl-2">
          <SchemaRows
            rows={shape.fields ?? []}
            label={label}
            adding="Add a field"
            onChange={(fields) => onChange({ ...shape, fields })}
          />
        </div>
      );
    case "array": {
      const items = shape.items ?? { type: "string" };
      return (
        <div className="flex flex-col gap-1.5 border-l pl-2">
          <div className="flex items-center gap-2 text-xs text-muted">
            Each item is
            <TypeSelect
              shape={items}
              label={`${label}: type of each item`}
              onChange={(type) => onChange({ ...shape, items: withType(items, type) })}
            />
          </div>
          <ShapeDetails
            shape={items}
            label={`${label}, each item`}
            onChange={(next) => onChange({ ...shape, items: next })}
          />
        </div>
      );
    }
    case "number":
    case "integer":
    case "boolean":
      return null;
    default:
      return shape.type satisfies never;
  }
}

function Row({
  row,
  label,
  onChange,
  onRemove,
}: {
  row: SchemaRow;
  label: string;
  onChange(row: SchemaRow): void;
  onRemove(): void;
}) {
  return (
    <li className="flex flex-col gap-1.5 rounded-md border p-2">
      <div className="flex items-center gap-1.5">
        <Input
          mono
          size="sm"
          value={row.name}
          placeholder="name"
          aria-label={`${label}: name`}
          spellCheck={false}
          onChange={(event) => onChange({ ...row, name: event.target.value.replace(/\s/g, "_") })}
        />
        <TypeSelect shape={row} label={`${label}: type`} onChange={(type) => onChange(withType(row, type))} />
        <IconButton size="sm" icon="x" label={`Remove ${label.toLowerCase()}`} onClick={onRemove} />
      </div>
      <Input
        size="sm"
        value={row.description}
        placeholder="What it is, for the model"
        aria-label={`${label}: description`}
        onChange={(event) => onChange({ ...row, description: event.target.value })}
      />
      <ShapeDetails shape={row} label={label} onChange={onChange} />
      <label className="flex items-center gap-2 text-xs text-muted">
        <Switch checked={row.required} onCheckedChange={(required) => onChange({ ...row, required })} />
        Required
      </label>
    </li>
  );
}

const blankRow: SchemaRow = { name: "", type: "string", description: "", required: true };

/** The fields of an object, each with a line of its own. */
export function SchemaRows({
  rows: stored,
  label,
  adding,
  onChange,
}: {
  rows: readonly SchemaRow[];
  /** What one line is called. */
  label: string;
  adding: string;
  onChange(rows: SchemaRow[]): void;
}) {
  const [rows, setRows] = useState(stored);
  // A row that has no name yet is not stored; it stays while nothing else changed from outside.
  const shown = JSON.stringify(schemaFrom(rows)) === JSON.stringify(schemaFrom(stored)) ? rows : stored;
  const change = (next: SchemaRow[]) => {
    setRows(next);
    onChange(next);
  };
  return (
    <div className="flex flex-col gap-1.5">
      {shown.length > 0 && (
        <ul className="flex flex-col gap-1.5">
          {shown.map((row, index) => (
            <Row
              key={index}
              row={row}
              label={`${label} ${index + 1}`}
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
        {adding}
      </Button>
    </div>
  );
}
