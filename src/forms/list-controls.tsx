import { useId, useState } from "react";
import { isJsonObject, type Json } from "../engine/json.ts";
import { Button } from "../ui/buttons/button.tsx";
import { IconButton } from "../ui/buttons/icon-button.tsx";
import { Input } from "../ui/fields/input.tsx";
import { Textarea } from "../ui/fields/textarea.tsx";
import type { ControlProps } from "./control-props.ts";
import { TemplateInput } from "./template/template-input.tsx";
import { useTextDraft } from "./use-text-draft.ts";

/** A list of texts, one per line. */
export function StringListControl({ field, value, onChange, control }: ControlProps) {
  const list = value ?? field.default;
  const stored = Array.isArray(list) ? list.map(String).join("\n") : String(list ?? "");
  const [text, setText] = useTextDraft(stored);
  const placeholder = field.placeholder ?? "One per line";
  const change = (typed: string) => {
    const lines = typed
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    setText(typed, lines.join("\n"));
    onChange(lines);
  };
  const plain = (
    <Textarea
      {...control}
      mono
      rows={2}
      value={text}
      placeholder={placeholder}
      spellCheck={false}
      onChange={(event) => change(event.target.value)}
    />
  );
  if (field.template === undefined) return plain;
  return (
    <TemplateInput
      field={field}
      label={field.label}
      text={text}
      control={control}
      multiline
      placeholder={placeholder}
      plain={plain}
      hasResult={false}
      onChange={change}
    />
  );
}

interface Pair {
  name: string;
  value: string;
}

const asText = (value: Json | undefined) =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

/** Names and values as they are stored: a record, or a list of `{ name, value }`. With `severalRows`, a list is rows of one name. */
export function pairsFrom(value: Json | undefined, severalRows = false): Pair[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) =>
      isJsonObject(item) ? [{ name: asText(item["name"]), value: asText(item["value"]) }] : [],
    );
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const rows = severalRows && Array.isArray(item) && item.length > 0 ? item : [item];
    return rows.map((row) => ({ name, value: asText(row) }));
  });
}

/** The other way round, in the shape that the field's default has; pairs without a name are left out. */
export function pairsTo(pairs: readonly Pair[], shape: Json | undefined, severalRows = false): Json {
  const named = pairs.filter(({ name }) => name.trim() !== "");
  if (Array.isArray(shape)) return named.map(({ name, value }) => ({ name, value }));
  const record = new Map<string, string | string[]>();
  for (const { name, value } of named) {
    const before = severalRows ? record.get(name) : undefined;
    record.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(record);
}

/** The value of one pair; where the field takes templates, with their completion and result. */
function PairValue({
  field,
  label,
  value,
  onChange,
}: {
  field: ControlProps["field"];
  label: string;
  value: string;
  onChange: (text: string) => void;
}) {
  const id = useId();
  const control = { id, "aria-describedby": undefined, "aria-invalid": undefined, "aria-required": undefined };
  const plain = (
    <Input
      id={id}
      mono
      size="sm"
      value={value}
      placeholder="Value"
      aria-label={label}
      onChange={(event) => onChange(event.target.value)}
    />
  );
  if (field.template === undefined) return plain;
  return (
    <TemplateInput
      field={field}
      label={label}
      text={value}
      control={control}
      multiline={false}
      placeholder="Value"
      plain={plain}
      hasResult
      onChange={onChange}
    />
  );
}

const rowInLine = "grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-start gap-1";

/** Templates are long: a value has the whole width, under its name and what removes the row. */
const rowStacked = "mb-1 grid grid-cols-[minmax(0,1fr)_auto] items-start gap-1 *:last:col-span-2";

/** Names with values, such as headers: one row each. */
export function KeyValuesControl({ field, value, onChange, control }: ControlProps) {
  const current = value ?? field.default;
  const several = field.severalRows === true;
  const stored = pairsFrom(current, several);
  const [rows, setRows] = useState(stored);
  const isStacked = field.template !== undefined;
  const written = (pairs: readonly Pair[]) => pairsTo(pairs, field.default, several);
  const kept = JSON.stringify(written(rows)) === JSON.stringify(written(stored));
  const shown = kept ? rows : stored;
  const change = (next: Pair[]) => {
    setRows(next);
    onChange(written(next));
  };
  return (
    <div
      className="flex flex-col gap-1.5"
      role="group"
      aria-label={field.label}
      aria-describedby={control["aria-describedby"]}
    >
      {shown.map((pair, index) => {
        const removal = (
          <IconButton
            size="sm"
            icon="x"
            label={pair.name === "" ? `Remove row ${index + 1}` : `Remove ${pair.name}`}
            onClick={() => change(shown.toSpliced(index, 1))}
          />
        );
        return (
          <div key={index} className={isStacked ? rowStacked : rowInLine}>
            <Input
              mono
              size="sm"
              value={pair.name}
              placeholder="Name"
              aria-label={`${field.label}: name ${index + 1}`}
              onChange={(event) => change(shown.with(index, { ...pair, name: event.target.value }))}
            />
            {isStacked && removal}
            <PairValue
              field={field}
              label={`${field.label}: value ${index + 1}`}
              value={pair.value}
              onChange={(text) => change(shown.with(index, { ...pair, value: text }))}
            />
            {!isStacked && removal}
          </div>
        );
      })}
      <Button
        size="sm"
        variant="ghost"
        icon="plus"
        className="self-start text-muted"
        onClick={() => setRows([...shown, { name: "", value: "" }])}
      >
        Add a row
      </Button>
    </div>
  );
}
