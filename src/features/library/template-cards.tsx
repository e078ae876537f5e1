import { GraphSketch } from "../../ui/graph/graph-sketch.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { sketchOf } from "./sketch-of.ts";
import { templates, type WorkflowTemplate } from "./templates/index.ts";

/** What a newcomer sees first; the gallery has all of them. */
const featured = ["ask-with-tools", "support-with-knowledge", "plan-and-reflect", "blank"];

const cards = featured
  .flatMap((wanted) => templates.find(({ id }) => id === wanted) ?? [])
  .map((template) => ({ template, sketch: sketchOf(template.build("picture"), { notes: false }) }));

/** A few templates as pictures to choose from. */
export function TemplateCards({
  busy,
  onChoose,
}: {
  /** Id of the template that is being created. */
  busy: string | null;
  onChoose: (template: WorkflowTemplate) => void;
}) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 min-[100rem]:grid-cols-4">
      {cards.map(({ template, sketch }) => (
        <li key={template.id}>
          <button
            type="button"
            disabled={busy !== null}
            onClick={() => onChoose(template)}
            className="group flex h-full w-full flex-col overflow-hidden rounded-lg border bg-surface text-left transition-colors duration-100 hover:border-accent disabled:opacity-60"
          >
            <span className="flex h-36 w-full items-center justify-center border-b bg-canvas bg-[radial-gradient(var(--color-dot)_1px,transparent_1px)] bg-size-[12px_12px] p-3">
              {sketch.nodes.length > 0 ? (
                <GraphSketch sketch={sketch} className="h-full w-full" />
              ) : (
                <span className="inline-flex size-10 items-center justify-center rounded-lg border border-dashed border-line-strong text-muted">
                  <Icon name="plus" size={20} />
                </span>
              )}
            </span>
            <span className="flex flex-col gap-0.5 px-4 py-3">
              <span className="flex items-center gap-2 text-base font-semibold">
                {template.title}
                {busy === template.id && <Spinner now label="Creating" />}
              </span>
              <span className="text-muted">{template.summary}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
