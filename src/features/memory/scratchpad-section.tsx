import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { scratchpadLimits, writeScratchpad } from "../../engine/memory/scratchpad.ts";
import { holdsUntrusted } from "../../engine/model/message.ts";
import { useServices } from "../../state/editor/editor-context.tsx";
import type { SessionAddress } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { LongText } from "../../ui/data/long-text.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { besides, type SessionContent, useEncryption, useRefreshMemory } from "./memory-queries.ts";
import { TextEditor } from "./text-editor.tsx";

/** The notes that an agent with a scratchpad keeps with the session: key and text. */
export function ScratchpadSection({ session, content }: { session: SessionAddress; content: SessionContent }) {
  const { memory } = useServices();
  const refresh = useRefreshMemory();
  const encryption = useEncryption();
  const [editing, setEditing] = useState<string | null>(null);
  const [newKey, setNewKey] = useState<string | null>(null);
  const { notes, padEntry } = content;

  const saving = useMutation({
    mutationFn: async ({ next }: { next: ReadonlyMap<string, string>; changed: string }) => {
      const place = besides(session, "scratchpad");
      const message = writeScratchpad(next, padEntry !== undefined && holdsUntrusted([padEntry.message]));
      if (padEntry) await memory.replace(place, padEntry, next.size === 0 ? null : message);
      else if (next.size > 0) await memory.append(place, [{ message }], encryption);
    },
    // Another note may be open by now.
    onSuccess: (_done, { changed }) => {
      setEditing((open) => (open === changed ? null : open));
      setNewKey((open) => (open?.trim() === changed ? null : open));
    },
    onError: (error) => showError(error),
    onSettled: refresh,
  });

  const keep = (key: string, text: string) => saving.mutate({ next: new Map(notes).set(key, text), changed: key });
  const drop = (key: string) =>
    saving.mutate({ next: new Map([...notes].filter(([name]) => name !== key)), changed: key });
  const key = newKey?.trim() ?? "";

  return (
    <section aria-label="Scratchpad" className="flex flex-col gap-2 px-4 py-2">
      <header className="flex min-h-7 items-center gap-2">
        <h3 className="text-xs font-semibold text-muted">Scratchpad</h3>
        <span className="ml-auto">
          <Button
            size="sm"
            variant="ghost"
            icon="plus"
            disabled={notes.size >= scratchpadLimits.notes}
            onClick={() => setNewKey("")}
          >
            Add a note
          </Button>
        </span>
      </header>
      {notes.size === 0 && newKey === null && (
        <p className="text-xs text-muted">An agent with a scratchpad keeps its notes here.</p>
      )}
      <dl className="flex flex-col gap-2">
        {[...notes].map(([name, text]) => (
          <div key={name} className="rounded-md border px-3 py-1.5">
            <dt className="flex min-h-7 items-center gap-1">
              <span className="min-w-0 flex-1 truncate font-mono text-xs">{name}</span>
              <IconButton size="sm" icon="pencil" label={`Edit the note ${name}`} onClick={() => setEditing(name)} />
              <IconButton
                size="sm"
                icon="trash-2"
                label={`Delete the note ${name}`}
                // All notes are one message, which the next change needs to have as it is then.
                disabled={saving.isPending}
                onClick={() => drop(name)}
              />
            </dt>
            <dd>
              {editing === name ? (
                <TextEditor
                  label={`Note ${name}`}
                  text={text}
                  busy={saving.isPending}
                  maxLength={scratchpadLimits.noteChars}
                  onSave={(next) => keep(name, next)}
                  onCancel={() => setEditing(null)}
                />
              ) : (
                <LongText text={text} />
              )}
            </dd>
          </div>
        ))}
      </dl>
      {newKey !== null && (
        <div className="flex flex-col gap-2">
          <Input
            aria-label="Key of the new note"
            placeholder="key"
            mono
            autoFocus
            maxLength={scratchpadLimits.keyChars}
            value={newKey}
            onChange={(event) => setNewKey(event.target.value)}
          />
          {key !== "" && (
            <TextEditor
              label={`Note ${key}`}
              text={notes.get(key) ?? ""}
              busy={saving.isPending}
              maxLength={scratchpadLimits.noteChars}
              onSave={(text) => keep(key, text)}
              onCancel={() => setNewKey(null)}
            />
          )}
        </div>
      )}
    </section>
  );
}
