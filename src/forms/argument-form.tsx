import { useId, useState } from "react";
import type { JsonObject, JsonSchema } from "../engine/json.ts";
import { isJsonObject } from "../engine/json.ts";
import { ConfigForm } from "./config-form.tsx";
import { jsonFrom } from "./json-control.tsx";
import { schemaFields } from "./schema-fields.ts";
import { Button } from "../ui/buttons/button.tsx";
import { Field } from "../ui/fields/field.tsx";
import { Textarea } from "../ui/fields/textarea.tsx";

interface ArgumentFormProps {
  schema: JsonSchema;
  input: JsonObject;
  onChange(input: JsonObject): void;
  /** What is wrong with the values: by argument, and under "" what is no argument's. */
  problems?: Readonly<Record<string, string>>;
  /** Told while JSON is written that cannot be read. */
  onBroken?(isBroken: boolean): void;
}

const noProblems: Readonly<Record<string, string>> = {};

function AsJson({ input, onChange, problems = noProblems, onBroken }: Omit<ArgumentFormProps, "schema">) {
  const [text, setText] = useState(() => JSON.stringify(input, null, 2));
  const value = jsonFrom(text) ?? {};
  const wrong = Object.entries(problems).map(([name, problem]) => (name === "" ? problem : `${name}: ${problem}`));
  const problem = isJsonObject(value) ? wrong.join(" ") : "This is not a JSON object yet: { … }.";
  return (
    <Field label="Arguments" error={problem === "" ? undefined : problem}>
      {(control) => (
        <Textarea
          {...control}
          mono
          rows={2}
          maxRows={10}
          value={text}
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            const next = jsonFrom(event.target.value) ?? {};
            onBroken?.(!isJsonObject(next));
            if (isJsonObject(next)) onChange(next);
          }}
        />
      )}
    </Field>
  );
}

/** The arguments that a model would fill in, as a form made from the schema or as JSON. */
export function ArgumentForm({ schema, input, onChange, problems = noProblems, onBroken }: ArgumentFormProps) {
  const fields = schemaFields(schema);
  const [asJson, setAsJson] = useState(fields.length === 0 && schema["additionalProperties"] !== false);
  const id = useId();
  if (fields.length === 0 && !asJson) return <p className="text-muted">This tool takes no arguments.</p>;
  return (
    <div id={id} className="flex flex-col gap-3">
      {asJson ? (
        <AsJson input={input} onChange={onChange} problems={problems} onBroken={onBroken} />
      ) : (
        <ConfigForm
          fields={fields}
          config={input}
          problems={problems}
          onChange={(field, value) => {
            const next = { ...input };
            if (value === undefined) delete next[field.name];
            else next[field.name] = value;
            onChange(next);
          }}
        />
      )}
      {!asJson && problems[""] !== undefined && <p className="text-sm text-danger">{problems[""]}</p>}
      {fields.length > 0 && (
        <Button
          size="sm"
          variant="ghost"
          icon="braces"
          className="self-start text-muted"
          aria-controls={id}
          onClick={() => {
            setAsJson(!asJson);
            onBroken?.(false);
          }}
        >
          {asJson ? "Fill in a form" : "Write JSON"}
        </Button>
      )}
    </div>
  );
}
