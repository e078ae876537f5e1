import { type KeyboardEvent, useRef, useState } from "react";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/theme/class-names.ts";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { MasterDetail } from "../../../ui/layout/master-detail.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import { templates } from "../templates/index.ts";
import { templateCategories, type TemplateCategory, type WorkflowTemplate } from "../templates/workflow-template.ts";
import { DescribeAgent } from "../describe-agent.tsx";
import { findTemplates } from "./find-templates.ts";
import { TemplateDetail } from "./template-detail.tsx";
import { isComposing } from "../../../ui/fields/composing.ts";

const categoryNames: Record<TemplateCategory, string> = {
  start: "Getting started",
  agents: "Agents",
  tools: "Tools",
  knowledge: "Knowledge and databases",
  data: "Working on data",
  channels: "Channels",
};

const options = [
  { value: "", label: "All categories" },
  ...templateCategories.map((value) => ({ value, label: categoryNames[value] })),
];

/** All templates to look through: search and category at the left, the chosen one with its picture beside. */
export function TemplateGallery({
  busy,
  describing,
  onClose,
  onElsewhere,
  onChoose,
  onDescribe,
}: {
  /** Id of the template that is being created. */
  busy: string | null;
  /** What was described is being created. */
  describing: boolean;
  onClose: () => void;
  /** Leads to templates of somebody else. */
  onElsewhere: () => void;
  onChoose: (template: WorkflowTemplate) => void;
  /** Has the assistant build what the person describes. */
  onDescribe: (text: string) => void;
}) {
  const [search, setSearch] = useState("");
  const [category, setCategory] = useState<TemplateCategory | null>(null);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const found = findTemplates(templates, search, category);
  const picked = found.find(({ id }) => id === chosenId);
  const chosen = picked ?? found[0];
  const list = useRef<HTMLUListElement>(null);

  /** Arrows go through the list, from the search as well, and Enter takes what they have come to. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { target, key } = event;
    const inSearch = target instanceof HTMLInputElement;
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const at = inSearch && chosen ? found.indexOf(chosen) : buttons.findIndex((button) => button === target);
    const current = found[at];
    if (current === undefined || isComposing(event)) return;
    if (key === "Enter") {
      event.preventDefault();
      if (busy === null) onChoose(current);
      return;
    }
    const next = found[{ ArrowDown: at + 1, ArrowUp: at - 1 }[key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    setChosenId(next.id);
    const button = buttons[found.indexOf(next)];
    button?.scrollIntoView({ block: "nearest" });
    if (!inSearch) button?.focus();
  }

  const clear = () => {
    setSearch("");
    setCategory(null);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="xl"
      title="New workflow"
      description="Start from a template, or from an empty canvas."
    >
      <div className="-mx-5 h-[min(62dvh,560px)] border-t" onKeyDown={onKeyDown}>
        <p className="sr-only" aria-live="polite">
          {picked?.title}
        </p>
        <MasterDetail
          chosen={picked !== undefined}
          onBack={() => setChosenId(null)}
          list={
            <>
              <div className="flex gap-2 border-b p-3">
                <Input
                  type="search"
                  aria-label="Search templates"
                  autoFocus
                  placeholder="Search templates"
                  value={search}
                  onChange={(event) => setSearch(event.target.value)}
                />
                <Select
                  aria-label="Category"
                  className="w-40! shrink-0"
                  value={category ?? ""}
                  onValueChange={(value) => setCategory(templateCategories.find((each) => each === value) ?? null)}
                  options={options}
                />
              </div>
              {found.length === 0 ? (
                <EmptyState
                  icon="search"
                  title="No matching templates"
                  action={<Button onClick={clear}>Show all</Button>}
                />
              ) : (
                <ul ref={list} aria-label="Templates" className="min-h-0 flex-1 overflow-y-auto p-2">
                  {found.map((template) => (
                    <li key={template.id}>
                      <button
                        type="button"
                        aria-current={template.id === chosen?.id}
                        onClick={() => setChosenId(template.id)}
                        onDoubleClick={() => busy === null && onChoose(template)}
                        className={classNames(
                          "block w-full rounded-md px-3 py-2 text-left",
                          template.id === chosen?.id ? "bg-accent-soft" : "hover:bg-hover",
                        )}
                      >
                        <span className="block font-medium">{template.title}</span>
                        <span className="block text-xs text-muted">{template.summary}</span>
                      </button>
                    </li>
                  ))}
                </ul>
              )}
              <div className="border-t p-2">
                <Button variant="ghost" size="sm" icon="globe" className="w-full" onClick={onElsewhere}>
                  Templates from elsewhere
                </Button>
              </div>
            </>
          }
          detail={
            chosen && (
              <TemplateDetail
                key={chosen.id}
                template={chosen}
                busy={busy === chosen.id}
                disabled={busy !== null}
                onUse={() => onChoose(chosen)}
              />
            )
          }
        />
      </div>
      {/* Below the list, so that focus starts at its search. */}
      <div className="-mx-5 -mb-5 border-t p-3">
        <DescribeAgent busy={describing} disabled={busy !== null || describing} onDescribe={onDescribe} />
      </div>
    </Dialog>
  );
}
