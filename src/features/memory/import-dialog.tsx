import { type MemoryPlace, readSessionName } from "../../engine/memory/memory.ts";
import { useState } from "react";
import { writeScratchpad } from "../../engine/memory/scratchpad.ts";
import { useServices } from "../../state/editor/editor-context.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { besides, useConversation, useEncryption, useRefreshMemory } from "./memory-queries.ts";
import { markedAsFile, missingFrom, type SessionFile, timedMessages } from "./session-file.ts";

interface ImportDialogProps {
  file: SessionFile;
  place: MemoryPlace;
  workflowId: string;
  onClose: () => void;
  onImported: (sessionId: string) => void;
}

/** Puts an exported session into a place, under its name or another one. */
export function ImportDialog({ file, place, workflowId, onClose, onImported }: ImportDialogProps) {
  const { memory } = useServices();
  const refresh = useRefreshMemory();
  const encryption = useEncryption();
  const [name, setName] = useState(file.sessionId);
  const sessionId = name.trim();
  const there = useConversation(place, sessionId);
  const error = nameError(sessionId);
  const notes = new Map(Object.entries(file.scratchpad));

  const importing = useDialogMutation({
    save: async () => {
      const session = { place, workflowId, sessionId };
      const lacking = missingFrom(there ? await memory.entries(session) : [], timedMessages(file));
      if (lacking.length > 0) await memory.append(session, markedAsFile(lacking), encryption);
      const pad = [{ message: writeScratchpad(notes, true) }];
      if (notes.size > 0) await memory.append(besides(session, "scratchpad"), pad, encryption);
    },
    refresh,
  });

  const content = [
    `${file.messages.length} ${file.messages.length === 1 ? "message" : "messages"}`,
    ...(notes.size > 0 ? [`${notes.size} ${notes.size === 1 ? "note" : "notes"}`] : []),
  ].join(" and ");
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Import a conversation"
      description={`The file holds ${content}.`}
      size="sm"
      footer={
        <DialogActions
          onCancel={onClose}
          disabled={error !== undefined}
          busy={importing.isPending}
          onClick={() =>
            importing.submit(undefined, {
              onDone: () => {
                onImported(sessionId);
                onClose();
              },
            })
          }
        >
          Import
        </DialogActions>
      }
    >
      <Field
        label="Session"
        help={
          there
            ? `This conversation holds ${there.messages} ${there.messages === 1 ? "message" : "messages"}; what it lacks of the file comes after them.`
            : "The name under which agents find it."
        }
        {...(error === undefined ? {} : { error })}
      >
        {(control) => <Input {...control} mono value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
    </Dialog>
  );
}

function nameError(sessionId: string): string | undefined {
  if (sessionId === "") return "Enter a name for the conversation.";
  if (sessionId.length > 480) return "Use at most 480 characters.";
  return readSessionName(sessionId).side === null
    ? undefined
    : "This ending is reserved for data kept beside a conversation.";
}
