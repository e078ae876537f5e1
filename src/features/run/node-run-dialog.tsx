import { useState } from "react";
import type { Json } from "../../engine/json.ts";
import { partialExtent } from "../../engine/run/partial-extent.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { panelStore } from "../../state/editor/panel-store.ts";
import type { RunControl } from "../../state/run/run-control.ts";
import { currentRun } from "../../state/run/run-store.ts";
import { readTypedJson } from "../../forms/read-typed-json.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { RefusedRun } from "../../ui/feedback/refused-run.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { inputChoices, type InputSource } from "./input-choices.ts";
import type { NodeRunRequest } from "./node-run-request.ts";

const sourceWords: Record<InputSource, string> = {
  previous: "From the run being shown",
  pinned: "From the pinned output before it",
  typed: "Typed here",
};

const asText = (input: Json) => JSON.stringify(input, null, 2);

/** What will run: one node, the selected nodes from one to another, or everything from a node on. */
function wordsOf({ title, last, extent }: { title: string; last: string; extent: "node" | "stretch" | "rest" }) {
  switch (extent) {
    case "node":
      return {
        title: `Run “${title}” alone`,
        description:
          "Only this node runs. Its templates use the outputs of earlier nodes from the run being shown, or pinned ones.",
        action: "Run this node",
      };
    case "stretch":
      return {
        title: `Run from “${title}” to “${last}”`,
        description: `The run starts at “${title}” and ends with “${last}”. Nothing before or after runs.`,
        action: "Run these nodes",
      };
    case "rest":
      return {
        title: `Run from “${title}”`,
        description: "This node and everything after it run. Nothing before it runs again.",
        action: "Run from here",
      };
  }
}

interface NodeRunDialogProps {
  request: NodeRunRequest;
  control: Pick<RunControl, "start" | "blocked">;
  onClose: () => void;
}

/** Asks with which input a node should run, alone or with all that follows, and starts it. */
export default function NodeRunDialog({ request, control, onClose }: NodeRunDialogProps) {
  const { nodeId, until } = request;
  const { registry, document, runs } = useEditor();
  const title = useDocumentStore((state) => state.document.nodes[nodeId]?.title ?? "");
  const last = useDocumentStore((state) => state.document.nodes[until ?? ""]?.title ?? "");
  const words = wordsOf({ title, last, extent: until === undefined ? "rest" : until === nodeId ? "node" : "stretch" });
  const [choices] = useState(() =>
    inputChoices(document.getState().document, registry, nodeId, currentRun(runs.getState())),
  );
  const [source, setSource] = useState<InputSource>(choices[0]?.source ?? "typed");
  const [text, setText] = useState(() => asText(choices[0]?.input ?? {}));
  // What was typed is kept for another try.
  const [refused, setRefused] = useState(false);
  const value = readTypedJson(text);

  const choose = (next: string) => {
    const choice = choices.find((one) => one.source === next);
    if (choice === undefined) return;
    setSource(choice.source);
    setText(asText(choice.input));
  };
  const run = () => {
    if (!value.ok) return;
    const options = { state: currentRun(runs.getState()), input: value.value, until };
    const part = partialExtent(document.getState().document, registry, nodeId, options);
    if (!part.ok) return;
    const { input, ...extent } = part.extent;
    if (control.start(input, extent) === null) return setRefused(true);
    panelStore.getState().show("steps");
    onClose();
  };

  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title={words.title}
      description={words.description}
      footer={
        <DialogActions onCancel={onClose} icon="play" disabled={!value.ok} onClick={run}>
          {words.action}
        </DialogActions>
      }
    >
      <div
        className="flex flex-col gap-3"
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          event.stopPropagation();
          run();
        }}
      >
        {refused && <RefusedRun title="This cannot run yet" problems={control.blocked} />}
        <Field label="Input">
          {(field) => (
            <Select
              {...field}
              value={source}
              options={choices.map((choice) => ({ value: choice.source, label: sourceWords[choice.source] }))}
              onValueChange={choose}
            />
          )}
        </Field>
        <Field label="Value" error={value.ok ? undefined : value.problem} help="JSON. A change makes it a typed value.">
          {(field) => (
            <Textarea
              {...field}
              mono
              rows={6}
              maxRows={16}
              spellCheck={false}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setSource("typed");
              }}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
