import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { newId } from "../../../state/shared/new-id.ts";
import { ServiceError } from "../../../services/services.ts";
import { useServices } from "../../../services/services-context.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { showToast } from "../../../ui/feedback/toast.tsx";
import { readEverything } from "./everything-file.ts";
import { nothingTaken, takeEverything } from "./take-everything.ts";

/**
 * Says what is in the file, takes it, and says what came of it. After a failure it goes on where it stopped; closed before the
 * end, it stops.
 */
export function ImportEverythingDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const services = useServices();
  const queries = useQueryClient();
  const working = useRef<AbortController>(null);
  useEffect(() => () => working.current?.abort(), []);
  const read = useMemo(() => readEverything(text), [text]);
  const [taken] = useState(nothingTaken);
  const [withSettings, setWithSettings] = useState(false);
  const [state, setState] = useState<"ready" | "busy" | "done" | ServiceError>("ready");
  const [progress, setProgress] = useState("");
  if (!read.ok) {
    return (
      <Dialog open onOpenChange={onClose} title="Import all work" footer={<Button onClick={onClose}>Close</Button>}>
        <Notice tone="danger" title="This cannot be imported">
          {read.problem}
        </Notice>
      </Dialog>
    );
  }
  const { file } = read;

  async function take() {
    const { signal } = (working.current = new AbortController());
    setState("busy");
    try {
      await takeEverything(services, file, taken, {
        newId,
        withSettings,
        signal,
        onProgress: (done, all) => setProgress(`Importing ${done} of ${all}…`),
      });
      setState("done");
    } catch (error) {
      if (signal.aborted)
        showToast("The import was stopped", { hint: `${count(taken.workflows.size, "workflow")} imported so far.` });
      const unknown = new ServiceError("server", "The import stopped.", "Go on; nothing is made twice.");
      setState(error instanceof ServiceError ? error : unknown);
    } finally {
      void queries.invalidateQueries();
    }
  }

  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title="Import all work"
      description="It is added to what you have; nothing is replaced."
      footer={
        <>
          <Button onClick={onClose}>{state === "done" ? "Close" : "Cancel"}</Button>
          {state !== "done" && (
            <Button variant="primary" busy={state === "busy"} onClick={() => void take()}>
              {state instanceof ServiceError ? "Go on" : "Import"}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <ul className="list-disc pl-5">
          <li>{count(file.workflows.length, "workflow")}</li>
          <li>{count(file.suites.length, "test suite")}</li>
          <li>{count(file.collections.length, "collection")}, without documents and searched by keyword</li>
        </ul>
        <p className="text-muted">
          Choose credentials in the workflows afterwards. Nodes that reach out wait for your review.
        </p>
        {state !== "done" && (
          <Field
            inline
            label="Keep runs and conversations as long as the file says"
            help="Deletes at once what is older than that."
          >
            {(control) => <Switch {...control} checked={withSettings} onCheckedChange={setWithSettings} />}
          </Field>
        )}
        {state === "busy" && <p role="status">{progress}</p>}
        {state instanceof ServiceError && (
          <Notice tone="danger" title={state.message}>
            {state.hint} {count(taken.workflows.size, "workflow")} imported so far.
          </Notice>
        )}
        {state === "done" && (
          <Notice tone="success" title={`${count(taken.workflows.size, "workflow")} imported.`}>
            {count(taken.suites.size, "test suite")} and {count(taken.collections.size, "collection")} as well.
          </Notice>
        )}
        {taken.refused.size > 0 && (
          <Notice tone="warning" title="Not everything could be imported">
            <ul className="list-disc pl-4">
              {[...taken.refused].map(([name, problem]) => (
                <li key={name}>
                  {name}: {problem}
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
