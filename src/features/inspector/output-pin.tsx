import { useState } from "react";
import type { Json } from "../../engine/json.ts";
import { readTypedJson } from "../../forms/read-typed-json.ts";
import { pinOutput, unpinOutput } from "../../state/commands/pin-output.ts";
import { useDocumentStore, useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import { currentRun } from "../../state/run/run-store.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";

/** The editor of a pinned output: JSON, taken over when it is saved. */
function PinEditor({ output, onSave, onCancel }: { output: Json; onSave(output: Json): void; onCancel(): void }) {
  const [text, setText] = useState(() => JSON.stringify(output, null, 2));
  const [problem, setProblem] = useState<string>();
  const save = () => {
    const typed = readTypedJson(text);
    if (typed.ok) onSave(typed.value);
    else setProblem(typed.problem);
  };
  return (
    <div className="flex flex-col gap-2">
      <Field label="Pinned output" error={problem} help="JSON. Runs use it instead of running the node.">
        {(field) => (
          <Textarea
            {...field}
            mono
            autoFocus
            rows={4}
            maxRows={20}
            spellCheck={false}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setProblem(undefined);
            }}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" icon="pin" onClick={save}>
          Pin this
        </Button>
      </div>
    </div>
  );
}

/** Pins what a node gave, so that runs take it instead of running the node; shows, edits and unpins it. */
export function OutputPin({ nodeId }: { nodeId: string }) {
  const { context } = useEditor();
  const pin = useDocumentStore((state) => state.document.nodes[nodeId]?.pin);
  const given = useRunStore((state) => currentRun(state)?.nodes[nodeId]?.output);
  const isMarked = useRunStore((state) => currentRun(state)?.nodes[nodeId]?.untrusted !== undefined);
  const untrusted = pin === undefined ? isMarked : pin.untrusted === true;
  const [editing, setEditing] = useState(false);
  if (editing) {
    return (
      <PinEditor
        output={pin?.output ?? given ?? {}}
        onCancel={() => setEditing(false)}
        onSave={(output) => {
          pinOutput(context, nodeId, output, untrusted);
          setEditing(false);
        }}
      />
    );
  }
  if (pin === undefined) {
    return (
      <div className="flex flex-wrap gap-2">
        {given !== undefined && (
          <Button size="sm" icon="pin" onClick={() => pinOutput(context, nodeId, given, untrusted)}>
            Pin this output
          </Button>
        )}
        <Button
          size="sm"
          icon="pencil"
          variant={given === undefined ? "secondary" : "ghost"}
          onClick={() => setEditing(true)}
        >
          {given === undefined ? "Pin a typed output" : "Edit and pin"}
        </Button>
      </div>
    );
  }
  return (
    <Notice
      tone="info"
      title="Pinned"
      action={
        <span className="flex gap-1">
          <Button size="sm" icon="pencil" onClick={() => setEditing(true)}>
            Edit
          </Button>
          <Button size="sm" icon="pin-off" onClick={() => unpinOutput(context, nodeId)}>
            Unpin
          </Button>
        </span>
      }
    >
      Runs use it instead of running the node.
    </Notice>
  );
}
