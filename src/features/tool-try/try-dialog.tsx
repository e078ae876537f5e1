import { useCallback, useState } from "react";
import type { Tool } from "../../engine/tool/tool.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { OpenTools, TriedCall } from "../../engine/run/open-tools.ts";
import { ArgumentForm } from "../../forms/argument-form.tsx";
import { schemaDefaults } from "../../forms/schema-fields.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { answerSubmitted } from "../../ui/overlays/unsaved-changes.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { TriedResult } from "./tried-result.tsx";
import { useOpenTools } from "../../state/run/use-open-tools.ts";

interface TrialProps {
  tool: Tool;
  opened: OpenTools;
  logs: readonly string[];
  onStart(): void;
}

function ToolTrial({ tool, opened, logs, onStart }: TrialProps) {
  const [input, setInput] = useState<JsonObject>(() => schemaDefaults(tool.parameters));
  const [tried, setTried] = useState<TriedCall>();
  const [running, setRunning] = useState<AbortController | null>(null);
  const [dry, setDry] = useState(tool.preview !== undefined);

  async function run() {
    const controller = new AbortController();
    setRunning(controller);
    setTried(undefined);
    onStart();
    // What was typed was for this call.
    answerSubmitted(true);
    setTried(await (dry ? opened.preview : opened.call)(tool, input, controller.signal));
    setRunning(null);
  }

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (running === null) void run();
      }}
    >
      <p className="whitespace-pre-line text-muted wrap-anywhere">{tool.description}</p>
      <details>
        <summary className="text-xs font-medium text-muted">What the model sees as its arguments</summary>
        <div className="mt-1 max-h-60 overflow-auto rounded-md bg-canvas p-2">
          <JsonTree value={tool.parameters} label="JSON Schema of the arguments" openDepth={3} />
        </div>
      </details>
      <ArgumentForm schema={tool.parameters} input={input} onChange={setInput} />
      {tool.preview !== undefined && (
        <Field
          label="Only show what it would do"
          help="Off: the call is really made, and what it changes stays."
          inline
        >
          {(control) => <Switch {...control} checked={dry} onCheckedChange={setDry} />}
        </Field>
      )}
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary" icon="play" busy={running !== null}>
          {dry ? "Show what it would do" : "Run the tool"}
        </Button>
        {running !== null && (
          <Button icon="square" onClick={() => running.abort()}>
            Stop
          </Button>
        )}
      </div>
      <TriedResult tried={tried} logs={logs} />
    </form>
  );
}

/** A tool of the node, called by a person in the model's place: really called, outside any run. */
export default function TryDialog({ node, onClose }: { node: NodeRecord; onClose: () => void }) {
  const [attempt, setAttempt] = useState(0);
  const [logs, setLogs] = useState<readonly string[]>([]);
  const [name, setName] = useState<string>();
  const addLog = useCallback((line: string) => setLogs((lines) => [...lines, line].slice(-200)), []);
  const clearLogs = useCallback(() => setLogs([]), []);
  const state = useOpenTools(node.id, attempt, addLog);

  const tools = state.kind === "open" ? state.opened.tools : [];
  const tool = tools.find((candidate) => candidate.name === name) ?? tools[0];
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={`Try ${node.title}`}
      description="You call the tool in the model's place. Approval is not asked for; a call that is not a preview is really made."
    >
      {state.kind === "opening" && (
        <div className="flex justify-center p-6">
          <Spinner label="Getting the tool ready" />
        </div>
      )}
      {state.kind === "failed" && (
        <Notice
          tone="danger"
          title={state.error.message}
          action={
            <Button size="sm" onClick={() => setAttempt(attempt + 1)}>
              Try again
            </Button>
          }
        >
          {state.error.hint}
        </Notice>
      )}
      {state.kind === "open" && tool === undefined && (
        <EmptyState icon="wrench" title="No tool to try">
          The node offers none as it is set up now. {logs.at(-1)}
        </EmptyState>
      )}
      {state.kind === "open" && tool !== undefined && (
        <div className="flex flex-col gap-4">
          {tools.length > 1 && (
            <Field label="Tool">
              {(control) => (
                <Select
                  {...control}
                  value={tool.name}
                  options={tools.map((one) => ({ value: one.name, label: one.name }))}
                  onValueChange={setName}
                />
              )}
            </Field>
          )}
          <ToolTrial key={tool.name} tool={tool} opened={state.opened} logs={logs} onStart={clearLogs} />
        </div>
      )}
    </Dialog>
  );
}
