import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { writeSummary } from "../../nodes/memories/rolling-summary.ts";
import { useServices } from "../../state/editor/editor-context.tsx";
import type { SessionAddress } from "../../services/services.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { LongText } from "../../ui/data/long-text.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { besides, type SessionContent, useRefreshMemory } from "./memory-queries.ts";
import { TextEditor } from "./text-editor.tsx";

/** What a summary memory tells the model in place of the older messages; nothing where there is no summary. */
export function SummarySection({ session, content }: { session: SessionAddress; content: SessionContent }) {
  const { memory } = useServices();
  const refresh = useRefreshMemory();
  const [editing, setEditing] = useState(false);
  const { summary, summaryEntry } = content;

  const saving = useMutation({
    mutationFn: async (text: string) => {
      if (!summary || !summaryEntry || text.trim() === "") return;
      await memory.replace(besides(session, "summary"), summaryEntry, writeSummary({ ...summary, text: text.trim() }));
    },
    onSuccess: () => setEditing(false),
    onError: (error) => showError(error),
    onSettled: refresh,
  });

  if (!summary) return null;
  return (
    <section aria-label="Summary" className="flex flex-col gap-1 border-b bg-role-memory-soft px-4 py-2">
      <div className="flex min-h-7 items-center gap-2">
        <Badge tone="memory">summary</Badge>
        <span className="text-xs text-muted numeric">stands for {summary.messages} messages</span>
        <span className="ml-auto">
          <IconButton size="sm" icon="pencil" label="Edit the summary" onClick={() => setEditing(true)} />
        </span>
      </div>
      {editing ? (
        <TextEditor
          label="Summary"
          text={summary.text}
          busy={saving.isPending}
          onSave={(text) => saving.mutate(text)}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <LongText text={summary.text} />
      )}
    </section>
  );
}
