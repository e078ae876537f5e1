import { useId, useState } from "react";
import type { JsonObject, JsonSchema } from "../../engine/json.ts";
import { isJsonObject } from "../../engine/json.ts";
import { ConfigForm } from "../../forms/config-form.tsx";
import { jsonFrom } from "../../forms/json-control.tsx";
import { schemaFields } from "../../forms/schema-fields.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Textarea } from "../../ui/textarea.tsx";

interface ArgumentFormProps {
  schema: JsonSchema;
  input: JsonObject;
  onChange(input: JsonObject): void;
}

function AsJson({ input, onChange }: Omit<ArgumentFormProps, "schema">) {
  const [text, setText] = useState(() => JSON.stringify(input, null, 2));
  const value = jsonFrom(text) ?? {};
  return (
    <Field label="Arguments" error={isJsonObject(value) ? undefined : "This is not a JSON object yet: { … }."}>
      {(control) => (
        <Textarea
          {...control}
          mono
          rows={6}
          value={text}
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            const next = jsonFrom(event.target.value) ?? {};
            if (isJsonObject(next)) onChange(next);
          }}
        />
      )}
    </Field>
  );
}

/** The arguments that a model would fill in, as a form made from the schema or as JSON. */
export function ArgumentForm({ schema, input, onChange }: ArgumentFormProps) {
  const fields = schemaFields(schema);
  const [asJson, setAsJson] = useState(fields.length === 0 && schema["additionalProperties"] !== false);
  const id = useId();
  if (fields.length === 0 && !asJson) return <p className="text-muted">This tool takes no arguments.</p>;
  return (
    <div id={id} className="flex flex-col gap-3">
      {asJson ? (
        <AsJson input={input} onChange={onChange} />
      ) : (
        <ConfigForm
          fields={fields}
          config={input}
          problems={{}}
          onChange={(field, value) => {
            const next = { ...input };
            if (value === undefined) delete next[field.name];
            else next[field.name] = value;
            onChange(next);
          }}
        />
      )}
      {fields.length > 0 && (
        <Button
          size="sm"
          variant="ghost"
          icon="braces"
          className="self-start text-muted"
          aria-controls={id}
          onClick={() => setAsJson(!asJson)}
        >
          {asJson ? "Fill in a form" : "Write JSON"}
        </Button>
      )}
    </div>
  );
}
