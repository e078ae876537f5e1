import { type ReactNode, useId } from "react";
import { useDocumentStore } from "../../state/editor/editor-context.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { keptState } from "../../ui/data/virtual-log/kept-state.ts";
import type { AgentAnswer } from "./chat-part.ts";

const useOpen = keptState(false);

/** What one of several agents said, under its name. A draft is one line that opens. */
export function AgentSpeech({ id, agent, children }: { id: string; agent: AgentAnswer; children: ReactNode }) {
  const { nodeId, title, item, isDraft } = agent;
  const current = useDocumentStore((state) => state.document.nodes[nodeId]?.title);
  const name = [title ?? current ?? "Agent", ...(item === undefined ? [] : [item + 1])].join(" · ");
  const [open, setOpen] = useOpen(id);
  const contentId = useId();
  const mark = (
    <span className="text-role-main">
      <Icon name="bot" size={14} />
    </span>
  );
  if (!isDraft) {
    return (
      <section aria-label={name} className="flex min-w-0 flex-col gap-2 rounded-lg border px-3 py-2">
        <p className="flex min-w-0 items-center gap-2 text-sm font-medium">
          {mark}
          <span className="min-w-0 truncate">{name}</span>
        </p>
        {children}
      </section>
    );
  }
  return (
    <section aria-label={name} className="min-w-0 rounded-lg border bg-canvas text-sm">
      <button
        type="button"
        className="flex h-8 w-full items-center gap-2 rounded-lg px-3 text-left hover:bg-hover"
        aria-expanded={open}
        aria-controls={contentId}
        onClick={() => setOpen(!open)}
      >
        {mark}
        <span className="min-w-0 truncate font-medium">{name}</span>
        <span className="text-xs text-muted">draft</span>
        <span className="ml-auto text-faint">
          <Icon name={open ? "chevron-down" : "chevron-right"} size={14} />
        </span>
      </button>
      {open && (
        <div id={contentId} className="border-t px-3 py-2">
          {children}
        </div>
      )}
    </section>
  );
}
