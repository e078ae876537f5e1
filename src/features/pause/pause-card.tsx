import { useState } from "react";
import type { PauseDecision } from "../../engine/run/breakpoints.ts";
import { useDocumentStore, useEditor, usePauseStore } from "../../stores/editor-context.tsx";
import type { PendingPause } from "../../stores/pause-store.ts";
import { showNode } from "../../stores/show-node.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { pausedInputLabel, pauseWords } from "./pause-words.ts";
import { readInput } from "./read-input.ts";

/** One held place of a run: what would go in, which can be edited; go on, go one step, or stop. */
export function PauseCard({ request }: { request: PendingPause }) {
  const { canvas } = useEditor();
  const decide = usePauseStore((state) => state.decide);
  const title = useDocumentStore((state) => state.document.nodes[request.atNodeId]?.title);
  const [original] = useState(() => JSON.stringify(request.input, null, 2));
  const [text, setText] = useState(original);
  const read = readInput(text, request.kind);
  const edited = text !== original;
  const words = pauseWords(request, title ?? request.atNodeId);

  const go = (action: "continue" | "step") => {
    if (!read.ok) return;
    const decision: PauseDecision = edited ? { action, input: read.input } : { action };
    decide(request.pauseId, decision);
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
          <Button size="sm" icon="step-forward" disabled={!read.ok} onClick={() => go("step")}>
            Step
          </Button>
          <Button size="sm" variant="primary" icon="play" disabled={!read.ok} onClick={() => go("continue")}>
            {edited ? "Continue as edited" : "Continue"}
          </Button>
        </div>
      </div>
      <Field label={pausedInputLabel(request.kind)} error={read.ok ? undefined : read.problem}>
        {(control) => (
          <Textarea
            mono
            rows={1}
            maxRows={10}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            {...control}
          />
        )}
      </Field>
    </div>
  );
}
