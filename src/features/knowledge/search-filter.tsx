import { useId } from "react";
import type { FieldDescription } from "../../engine/config/describe-fields.ts";
import { isJsonObject } from "../../engine/json.ts";
import { KeyValuesControl } from "../../forms/list-controls.tsx";
import { filterWords, storedFilter } from "../../nodes/knowledge/passage-filter.ts";

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

interface SearchFilterProps {
  filter: Record<string, string>;
  onChange: (filter: Record<string, string>) => void;
}

/** Which passages a test search looks at: one line that says so, and opens. */
export function SearchFilter({ filter, onChange }: SearchFilterProps) {
  const id = useId();
  const chosen = filterWords(storedFilter(filter));
  return (
    <details className="col-span-full">
      <summary className="text-xs wrap-anywhere text-muted">
        {field.label} {chosen === "" ? "…" : <span className="font-medium text-ink">{chosen}</span>}
      </summary>
      <div className="mt-2 flex max-w-120 flex-col gap-1">
        <KeyValuesControl
          field={field}
          value={filter}
          onChange={(value) => {
            const pairs = isJsonObject(value) ? Object.entries(value) : [];
            onChange(Object.fromEntries(pairs.map(([name, text]) => [name, String(text)])));
          }}
          control={{ id, "aria-describedby": `${id}-note`, "aria-invalid": undefined, "aria-required": undefined }}
        />
        <p id={`${id}-note`} className="text-xs text-muted">
          {field.help}
        </p>
      </div>
    </details>
  );
}
