import { useState } from "react";
import { Button } from "../../ui/buttons/button.tsx";
import type { ControlProps } from "../control-props.ts";
import { JsonControl } from "../json-control.tsx";
import { rowsFrom, schemaFrom } from "./schema-rows.ts";
import { SchemaRows } from "./schema-row-editor.tsx";

/** The JSON Schema of an object: a line for each of its fields, or, for one that says more, JSON. */
export function SchemaControl(props: ControlProps) {
  const { field, value, control, onChange } = props;
  const [asJson, setAsJson] = useState(false);
  const given = value ?? field.default;
  const rows = given === undefined || given === null ? [] : rowsFrom(given);
  const json = asJson || rows === null;
  const [one, adding] = field.control === "parameters" ? ["Argument", "Add an argument"] : ["Field", "Add a field"];
  return (
    <div
      className="flex flex-col gap-1.5"
      role="group"
      aria-label={field.label}
      aria-describedby={control["aria-describedby"]}
    >
      {json ? (
        <JsonControl {...props} />
      ) : (
        <SchemaRows
          rows={rows}
          label={one}
          adding={adding}
          // Without a field there is nothing to ask for, where nothing is asked for by default.
          onChange={(next) =>
            onChange(next.length === 0 && (field.default ?? null) === null ? undefined : schemaFrom(next))
          }
        />
      )}
      {rows === null ? (
        <p className="text-xs text-muted">This schema has more than the list can show, so edit it as JSON.</p>
      ) : (
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
