import { useState } from "react";
import type { Json } from "../../engine/json.ts";
import { pathAt, pointerKeys } from "../../engine/template/path-at.ts";
import type { TemplateScope } from "../../engine/template/scope.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { Popover } from "../../ui/overlays/popover.tsx";
import type { TemplateData } from "./template-data.tsx";

/** How a part of a field is left to the model. */
export const aiWords = 'Write {{ai("name", "what it is", "string")}} where the model should fill something in.';

const firstNames = ["json"];
const lastNames = ["vars", "now", "run", "workflow"];

/** The node's own input first, then earlier nodes, then what every node sees; `nodes` only says the earlier ones again. */
function namesInOrder(scope: TemplateScope): string[] {
  const names = [...scope.names()].filter((name) => name !== "nodes");
  const others = names.filter((name) => !firstNames.includes(name) && !lastNames.includes(name));
  return [...firstNames, ...others, ...lastNames].filter((name) => names.includes(name));
}

/** All variables as one JSON object; times as text. */
function variablesOf(scope: TemplateScope): Record<string, Json> {
  const entries = namesInOrder(scope).map((name): [string, Json] => {
    const value = scope.get(name);
    return [name, value instanceof Date ? value.toISOString() : (value ?? null)];
  });
  return Object.fromEntries(entries);
}

/** The expression of a row in the tree of all variables; undefined for the tree itself. */
function expressionOf(variables: Record<string, Json>, pointer: string): string | undefined {
  const [variable, ...keys] = pointerKeys(pointer);
  return variable === undefined ? undefined : pathAt(variable, variables[variable], keys);
}

/** A button that shows the data there is and puts what one chooses into the field. */
export function InsertData({
  data,
  ai,
  onInsert,
}: {
  data: TemplateData;
  /** Whether a model may fill in a part of the field. */
  ai: boolean;
  onInsert(expression: string): void;
}) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Data that can be inserted"
      align="end"
      className="max-h-96 w-80 overflow-y-auto"
      trigger={<IconButton size="sm" icon="plus" label="Insert data" className="-my-1" />}
    >
      {open && (
        <Variables
          data={data}
          ai={ai}
          onInsert={(expression) => {
            setOpen(false);
            onInsert(expression);
          }}
        />
      )}
    </Popover>
  );
}

function Variables({ data, ai, onInsert }: { data: TemplateData; ai: boolean; onInsert(expression: string): void }) {
  const [variables] = useState(() => variablesOf(data.scope()));
  return (
    <div className="flex flex-col gap-2">
      <p className="text-xs text-muted">
        {data.hasData
          ? "Choose a value: Enter inserts it, I a whole list or object."
          : "Test the workflow once to see the data of earlier nodes here."}
      </p>
      {ai && <p className="text-xs text-muted">{aiWords}</p>}
      <JsonTree
        label="Data"
        value={variables}
        openDepth={2}
        pick={{
          label: "Insert",
          expression: (path) => expressionOf(variables, path),
          run: onInsert,
        }}
      />
    </div>
  );
}
