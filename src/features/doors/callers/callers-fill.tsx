import { useState } from "react";
import type { NodeRecord } from "../../../engine/document/workflow-document.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { CallersDialog } from "./callers-dialog.tsx";
import { useOpenTools } from "../../../state/run/use-open-tools.ts";
import { filledTools } from "./caller-fields.ts";

/** What callers of the version may fill in at its tools that ask. */
export function CallersFill({ tools }: { tools: readonly NodeRecord[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const filled = tools.filter(({ callers }) => callers !== undefined);
  return (
    <>
      <Notice
        title={filled.length === 0 ? "Callers may fill in nothing" : "Callers may fill in without asking you"}
        action={
          <Button size="sm" onClick={() => setIsOpen(true)}>
            Choose…
          </Button>
        }
      >
        {filled.length === 0 ? (
          <p>
            Where a value comes from a caller who is not trusted, these tools ask you first, or are refused where nobody
            can be asked: {tools.map(({ title }) => title).join(", ")}.
          </p>
        ) : (
          <>
            <ul className="list-disc pl-5 text-ink">
              {filled.map((node) => (
                <FilledLines key={node.id} node={node} />
              ))}
            </ul>
            <p>This holds until a tool changes its name, description or arguments.</p>
          </>
        )}
      </Notice>
      {isOpen && <CallersDialog nodes={tools} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const ignoreLog = () => {};

/** What was chosen for the tools of one node, and what of it holds no longer, once they are known. */
function FilledLines({ node }: { node: NodeRecord }) {
  const state = useOpenTools(node.id, 0, ignoreLog);
  return filledTools(node, state.kind === "open" ? state.opened.tools : undefined).map(({ text, isOutdated }) => (
    <li key={text}>
      {text}
      {isOutdated && (
        <span className="text-warning"> · no longer allowed, since the tool has changed. Choose again.</span>
      )}
    </li>
  ));
}
