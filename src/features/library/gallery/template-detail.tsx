import type { ReactNode } from "react";
import { definitionOf } from "../../../engine/document/can-connect.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { GraphSketch } from "../../../ui/graph/graph-sketch.tsx";
import { Icon } from "../../../ui/icons/icon.tsx";
import { sketchOf } from "../sketch-of.ts";
import type { WorkflowTemplate } from "../templates/workflow-template.ts";

/** The types of a template's nodes, each once, in the order of the canvas. */
function typesOf(template: WorkflowTemplate): { type: string; title: string; icon: string }[] {
  const types = new Set(Object.values(template.build("picture").nodes).map(({ type }) => type));
  types.delete("sticky-note");
  return [...types].map((type) => {
    const definition = definitionOf(nodeRegistry, type);
    return { type, title: definition?.title ?? type, icon: definition?.icon ?? "box" };
  });
}

/** What one template makes: its picture, what it needs, its nodes, and the button that makes it. */
export function TemplateDetail({
  template,
  busy,
  disabled,
  onUse,
}: {
  template: WorkflowTemplate;
  busy: boolean;
  disabled: boolean;
  onUse: () => void;
}) {
  const sketch = sketchOf(template.build("picture"), { notes: false });
  const types = typesOf(template);
  return (
    <div className="flex min-h-full flex-col">
      <div className="flex h-56 shrink-0 items-center justify-center border-b bg-canvas bg-[radial-gradient(var(--color-dot)_1px,transparent_1px)] bg-size-[12px_12px] p-3">
        {sketch.nodes.length === 0 ? (
          <span className="inline-flex size-10 items-center justify-center rounded-lg border border-dashed border-line-strong text-muted">
            <Icon name="plus" size={20} />
          </span>
        ) : (
          <GraphSketch sketch={sketch} className="size-full" />
        )}
      </div>
      <div className="flex flex-1 flex-col gap-3 p-4">
        <div>
          <h3 className="text-lg font-semibold">{template.title}</h3>
          <p className="text-muted">{template.summary}</p>
        </div>
        <dl className="flex flex-col gap-3">
          <Fact term="Needs">{template.needs?.join(" · ") ?? "Nothing: it runs on the demo model at once"}</Fact>
          {template.example !== undefined && <Fact term="Try">“{template.example}”</Fact>}
          {types.length > 0 && (
            <div>
              <dt className="text-xs text-muted">Nodes</dt>
              <dd className="mt-1 flex flex-wrap gap-1.5">
                {types.map(({ type, title, icon }) => (
                  <span key={type} className="inline-flex items-center gap-1.5 rounded-md border px-1.5 py-0.5 text-xs">
                    <Icon name={icon} size={14} />
                    {title}
                  </span>
                ))}
              </dd>
            </div>
          )}
        </dl>
      </div>
      <div className="sticky bottom-0 flex justify-end border-t bg-raised p-3">
        <Button variant="primary" busy={busy} disabled={disabled} onClick={onUse}>
          Use this template
        </Button>
      </div>
    </div>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
