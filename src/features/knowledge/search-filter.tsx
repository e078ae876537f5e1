import { useId } from "react";
import type { FieldDescription } from "../../engine/config/describe-fields.ts";
import { isJsonObject } from "../../engine/json.ts";
import { fieldsOf, type KnowledgeField } from "../../engine/knowledge/filter/check-filter.ts";
import { filterOperators } from "../../engine/knowledge/filter/parse-filter.ts";
import { KeyValuesControl } from "../../forms/list-controls.tsx";
import { filterText, storedFilter } from "../../nodes/knowledge/passage-filter.ts";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";

/** As in the knowledge tool, without the model's choice: nobody fills in a template here. */
const field: FieldDescription = {
  name: "filter",
  label: "Only passages with",
  help: "What is noted with a passage: document handbook.md, page 3, row 12 or entry 4. Empty values are ignored.",
  control: "key-values",
  default: {},
  identity: false,
  ai: false,
  integer: false,
  required: false,
  optional: false,
};

/** Both ways to narrow a search, as they are typed. */
export interface TypedFilter {
  pairs: Record<string, string>;
  where: string;
}

export const noFilter: TypedFilter = { pairs: {}, where: "" };

interface SearchFilterProps {
  filter: TypedFilter;
  /** What the documents of the collection can be filtered by. */
  fields: readonly KnowledgeField[];
  onChange: (filter: TypedFilter) => void;
}

function shownField({ name, examples }: KnowledgeField): string {
  const [example] = examples;
  return example === undefined ? name : `${name} (${JSON.stringify(example)})`;
}

/** Which passages a test search looks at: one line that says so, and opens. */
export function SearchFilter({ filter, fields, onChange }: SearchFilterProps) {
  const id = useId();
  const chosen = [filterText(storedFilter(filter.pairs)), filter.where.trim()].filter(Boolean).join(" and ");
  return (
    <details className="col-span-full">
      <summary className="text-xs wrap-anywhere text-muted">
        {field.label} {chosen === "" ? "…" : <span className="font-medium text-ink">{chosen}</span>}
      </summary>
      <div className="mt-2 flex max-w-140 flex-col gap-3">
        <Field label="Filter" help={`Fields: ${fieldsOf(fields).map(shownField).join(", ")}. ${filterOperators}`}>
          {(control) => (
            <Input
              {...control}
              mono
              value={filter.where}
              maxLength={2_000}
              placeholder={'team = "sales" and year >= 2025'}
              onChange={(event) => onChange({ ...filter, where: event.target.value })}
            />
          )}
        </Field>
        <div className="flex flex-col gap-1">
          <KeyValuesControl
            field={field}
            value={filter.pairs}
            onChange={(value) => {
              const pairs = isJsonObject(value) ? Object.entries(value) : [];
              onChange({ ...filter, pairs: Object.fromEntries(pairs.map(([name, text]) => [name, String(text)])) });
            }}
            control={{ id, "aria-describedby": `${id}-note`, "aria-invalid": undefined, "aria-required": undefined }}
          />
          <p id={`${id}-note`} className="text-xs text-muted">
            {field.help}
          </p>
        </div>
      </div>
    </details>
  );
}
