import { useState } from "react";
import { useDocumentStore, useEditor, usePauseStore } from "../../state/editor/editor-context.tsx";
import type { PendingPause } from "../../state/run/pause-store.ts";
import { showNode } from "../../state/editor/show-node.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { pausedInputLabel, pauseText } from "./pause-text.ts";
import { readInput } from "./read-input.ts";

/** One held place of a run: what would go in, which can be edited; go on, go one step, or stop. */
export function PauseCard({ request }: { request: PendingPause }) {
  const { canvas } = useEditor();
  const decide = usePauseStore((state) => state.decide);
  const edit = usePauseStore((state) => state.edit);
  const goOn = usePauseStore((state) => state.goOn);
  const title = useDocumentStore((state) => state.document.nodes[request.atNodeId]?.title);
  const [original] = useState(() => JSON.stringify(request.input, null, 2));
  const edited = usePauseStore((state) => state.edits[request.pauseId]);
  const canGoOn = edited?.ok !== false;
  const words = pauseText(request, title ?? request.atNodeId);

  const change = (text: string) => {
    edit(request.pauseId, text === original ? undefined : { text, ...readInput(text, request.kind) });
  };

  return (
    <div
      role="group"
      aria-label={words}
      className="flex flex-col gap-2 rounded-lg border border-accent bg-accent-soft p-2 pl-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-accent">
          <Icon name="pause" />
        </span>
        <p className="min-w-40 flex-1 font-semibold">{words}</p>
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
          {title !== undefined && (
            <Button size="sm" variant="ghost" icon="scan" onClick={() => showNode(canvas, request.atNodeId)}>
              Show
            </Button>
          )}
          <Button size="sm" icon="square" onClick={() => decide(request.pauseId, { action: "stop" })}>
            Stop
          </Button>
          <Button size="sm" icon="step-forward" disabled={!canGoOn} onClick={() => goOn(request.pauseId, "step")}>
            Step
          </Button>
          <Button
            size="sm"
            variant="primary"
            icon="play"
            disabled={!canGoOn}
            onClick={() => goOn(request.pauseId, "continue")}
          >
            {edited ? "Continue as edited" : "Continue"}
          </Button>
        </div>
      </div>
      <Field label={pausedInputLabel(request.kind)} error={canGoOn ? undefined : edited.problem}>
        {(control) => (
          <Textarea
            mono
            rows={1}
            maxRows={10}
            spellCheck={false}
            value={edited?.text ?? original}
            onChange={(event) => change(event.target.value)}
            {...control}
          />
        )}
      </Field>
    </div>
  );
}
