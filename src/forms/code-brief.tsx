import type { Json, JsonObject } from "../engine/json.ts";
import { Button } from "../ui/buttons/button.tsx";
import type { CodeName } from "../ui/fields/code-editor/complete-names.ts";
import type { ControlProps } from "./control-props.ts";
import { useTemplateData } from "./template/template-data.tsx";

/** Characters of a value that can show in one line. */
const mostCharacters = 200;

function shortText(value: Json): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, mostCharacters);
}

/** What code gets, with the values of the last run, what it has to return, and an example to begin with. */
export function CodeBrief({
  field,
  value,
  names,
  inputs,
  onChange,
}: Pick<ControlProps, "field" | "value" | "onChange"> & {
  /** What the code sees. */
  names: readonly CodeName[];
  /** What is written for those of them that are inputs. */
  inputs: JsonObject;
}) {
  const data = useTemplateData();
  const { codeReturns, codeExample } = field;
  if (codeReturns === undefined) return null;
  const now = (name: string): Json | undefined => {
    if (Object.hasOwn(inputs, name)) return inputs[name];
    const known = name === "json" && data?.hasData === true ? data.scope().get(name) : undefined;
    return known instanceof Date ? undefined : known;
  };
  return (
    <div className="flex flex-col gap-2 rounded-md bg-canvas p-2.5 text-xs text-muted">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
        <dt className="font-medium text-ink">Gets</dt>
        <dd className="flex flex-col gap-1">
          {names.map(({ name, detail }) => {
            const known = now(name);
            return (
              <div key={name} className="flex min-w-0 flex-wrap gap-x-1.5">
                <code className="text-ink">{name}</code>
                {detail !== undefined && <span>{detail}</span>}
                {known !== undefined && <code className="w-full truncate">{shortText(known)}</code>}
              </div>
            );
          })}
        </dd>
        <dt className="font-medium text-ink">Returns</dt>
        <dd>{codeReturns}</dd>
      </dl>
      {codeExample !== undefined && value !== codeExample && (
        <details>
          <summary className="w-fit cursor-pointer font-medium text-ink">Example</summary>
          <pre className="my-2 overflow-x-auto whitespace-pre-wrap text-ink">{codeExample}</pre>
          <Button size="sm" onClick={() => onChange(codeExample)}>
            Use this example
          </Button>
        </details>
      )}
    </div>
  );
}
