import { useState } from "react";
import type { NodeRecord } from "../../../engine/document/workflow-document.ts";
import { visibleName } from "../../../engine/text/visible-name.ts";
import type { Tool } from "../../../engine/tool/tool.ts";
import { callerArguments } from "../../../engine/trust/caller-terms.ts";
import { useOpenTools } from "../../../state/run/use-open-tools.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ListSkeleton } from "../../../ui/feedback/list-skeleton.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { callerFields, listed } from "./caller-fields.ts";

/** The tools of a node with the arguments that callers may fill in. */
export type ChosenFields = readonly { tool: Tool; arguments: readonly string[] }[];

interface NodeFieldsProps {
  node: NodeRecord;
  /** Undefined while it is as it is stored. */
  chosen: ChosenFields | undefined;
  onChange: (chosen: ChosenFields) => void;
}

const ignoreLog = () => {};

/** The tools of one node, each with its arguments to tick. */
export function NodeFields({ node, chosen, onChange }: NodeFieldsProps) {
  const [attempt, setAttempt] = useState(0);
  const state = useOpenTools(node.id, attempt, ignoreLog);
  return (
    <section aria-label={node.title} className="flex flex-col gap-2">
      <h3 className="font-medium">{node.title}</h3>
      {state.kind === "opening" && <ListSkeleton label={`Getting the tools of ${node.title}`} />}
      {state.kind === "failed" && (
        <Notice
          tone="warning"
          title={state.error.message}
          action={
            <Button size="sm" onClick={() => setAttempt(attempt + 1)}>
              Try again
            </Button>
          }
        >
          {state.error.hint} What callers may fill in here stays as it is.
        </Notice>
      )}
      {state.kind === "open" && (
        <ToolList tools={state.opened.tools} stored={node.callers} chosen={chosen} onChange={onChange} />
      )}
    </section>
  );
}

interface ToolListProps extends Omit<NodeFieldsProps, "node"> {
  tools: readonly Tool[];
  stored: NodeRecord["callers"];
}

function ToolList({ tools, stored, chosen, onChange }: ToolListProps) {
  const now = chosen ?? tools.map((tool) => ({ tool, arguments: callerArguments(tool, stored) }));
  const asking = now.filter(({ tool }) => callerFields(tool).length > 0);
  if (asking.length === 0)
    return <p className="text-sm text-muted">None of its tools asks because of what a caller writes.</p>;
  return asking.map(({ tool, arguments: names }) => (
    <ToolFields
      key={tool.name}
      tool={tool}
      chosen={names}
      onChange={(next) => onChange(now.map((each) => (each.tool === tool ? { tool, arguments: next } : each)))}
    />
  ));
}

interface ToolFieldsProps {
  tool: Tool;
  chosen: readonly string[];
  onChange: (names: string[]) => void;
}

function ToolFields({ tool, chosen, onChange }: ToolFieldsProps) {
  const name = visibleName(tool.name);
  return (
    <fieldset className="flex flex-col gap-1 rounded-md border p-3">
      <legend className="px-1 font-mono text-xs font-semibold">{name}</legend>
      {callerFields(tool).map((field) => (
        <label key={field.name} className="flex min-w-0 items-start gap-2 max-sm:min-h-8">
          <input
            type="checkbox"
            className="mt-1"
            checked={chosen.includes(field.name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, field.name] : chosen.filter((one) => one !== field.name))
            }
          />
          <span className="min-w-0 wrap-anywhere">
            <span className="font-mono text-xs">{visibleName(field.name)}</span>
            {field.decidesByAddress && <span className="text-muted"> · links and addresses in it</span>}
          </span>
        </label>
      ))}
      <p aria-live="polite" className="text-xs text-muted">
        {chosen.length === 0
          ? "Callers fill in nothing: you are asked first."
          : `Whoever reaches the workflow can have ${name} called with any ${listed(chosen)} that they write, and you are not asked.`}
      </p>
    </fieldset>
  );
}
