import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readChatSession } from "../../state/conversation/chat-session.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { newId } from "../../state/shared/new-id.ts";
import { currentRun } from "../../state/run/run-store.ts";
import type { Publication, PublishTarget } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { serverStart, typedInput } from "./server-start.ts";

interface ServerStartDialogProps {
  onClose: () => void;
  onPublish: () => void;
  /** Called with the id of the run that was started. */
  onStarted: (runId: string) => void;
}

/** Starts the published version of the open workflow on a worker. */
export function ServerStartDialog({ onClose, onPublish, onStarted }: ServerStartDialogProps) {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  const publication = useQuery({
    queryKey: ["publication", workflowId],
    queryFn: async () => (await publications.find(workflowId)) ?? null,
    staleTime: 0,
  });
  const { data } = publication;
  const targets = data ? (["live", "staging"] as const).filter((target) => data[target] !== null) : [];
  if (data && targets.length > 0) {
    return <StartForm publication={data} targets={targets} onClose={onClose} onStarted={onStarted} />;
  }
  // What was known before may be older than the last publication.
  const isUnpublished = data !== undefined && !publication.isFetching;
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title="Run on server"
      {...(isUnpublished
        ? { description: "The server runs published versions only. Publish this workflow first." }
        : {})}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {isUnpublished && (
            <Button variant="primary" icon="rocket" onClick={onPublish}>
              Publish…
            </Button>
          )}
        </>
      }
    >
      {publication.isFetching && <Spinner label="Loading what is published" />}
      {publication.isError && <LoadFailure error={publication.error} onRetry={() => void publication.refetch()} />}
    </Dialog>
  );
}

const targetWords: Record<PublishTarget, string> = { live: "live", staging: "staging" };

interface StartFormProps extends Pick<ServerStartDialogProps, "onClose" | "onStarted"> {
  publication: Publication;
  /** Those that point to a version; at least one. */
  targets: readonly PublishTarget[];
}

function StartForm({ publication, targets, onClose, onStarted }: StartFormProps) {
  const { workflowId, document, registry, runs } = useEditor();
  const { serverRuns } = useServices();
  // Names one start, however often its answer is lost; what was changed since is another one.
  const [key, setKey] = useState(newId);
  const [start] = useState(() => {
    const shown = currentRun(runs.getState());
    // What strangers wrote is not proposed: a run that is started here counts as its owner's words.
    const last = shown?.untrusted === undefined ? shown?.input : undefined;
    return serverStart(document.getState().document, registry, last);
  });
  const [target, setTarget] = useState<PublishTarget>(targets[0] ?? "live");
  const [text, setText] = useState(start.kind === "message" ? start.message : JSON.stringify(start.input, null, 2));
  const input = typedInput(start.kind, text, readChatSession(workflowId));
  const starting = useDialogMutation({ save: serverRuns.start });
  const run = () => {
    if (input !== undefined) starting.submit({ workflowId, target, input, key }, { onDone: ({ id }) => onStarted(id) });
  };
  const versions = targets.map((each) => ({
    value: each,
    label: `Version ${publication[each] ?? ""} (${targetWords[each]})`,
  }));
  const notJson = start.kind === "input" && input === undefined;
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title="Run on server"
      description="The published version runs on a worker and continues when you close the browser. It does not include later edits."
      footer={
        <DialogActions
          onCancel={onClose}
          icon="play"
          disabled={input === undefined || starting.isPending}
          onClick={run}
        >
          Run
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
        <Field label="Version">
          {(field) => (
            <Select
              {...field}
              value={target}
              options={versions}
              onValueChange={(value) => {
                setTarget(targets.find((each) => each === value) ?? target);
                setKey(newId());
              }}
            />
          )}
        </Field>
        <Field
          label={start.kind === "message" ? "Message" : "Input"}
          error={notJson ? "This is not valid JSON yet." : undefined}
          {...(start.kind === "message" ? {} : { help: "JSON for the trigger." })}
        >
          {(field) => (
            <Textarea
              {...field}
              mono={start.kind === "input"}
              rows={start.kind === "message" ? 3 : 6}
              maxRows={16}
              spellCheck={start.kind === "message"}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setKey(newId());
              }}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
