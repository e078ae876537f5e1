import type { CredentialSummary, CredentialUses } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { showToast } from "../../ui/feedback/toast.tsx";
import { useCredentialCache } from "./credential-cache.ts";

interface RemoveDialogProps {
  credential: CredentialSummary;
  uses: CredentialUses | undefined;
  onClose: () => void;
}

/** Asks before a credential is deleted: its secret cannot be brought back. Names the workflows that use it. */
export function RemoveDialog({ credential, uses, onClose }: RemoveDialogProps) {
  const { credentials } = useServices();
  const cache = useCredentialCache();
  const remove = useDialogMutation({
    save: () => credentials.remove(credential.id),
    onSaved: () => showToast(`Deleted the credential "${credential.name}"`),
    refresh: () => void cache.refresh(),
  });

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      size="sm"
      title={`Delete ${credential.name}?`}
      description="Its secret is deleted for good. To use it again, it has to be entered again."
      footer={
        <DialogActions
          onCancel={onClose}
          variant="danger"
          busy={remove.isPending}
          onClick={() => remove.submit(undefined, { onDone: onClose })}
        >
          Delete credential
        </DialogActions>
      }
    >
      {uses !== undefined && (
        <div>
          <p className="font-medium">
            {uses.total === 1 ? "This workflow uses it and will fail" : "These workflows use it and will fail"} until
            another one is chosen:
          </p>
          <ul className="mt-1 list-disc pl-5 text-muted">
            {uses.workflows.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
            {uses.total > uses.workflows.length && (
              <li>and {(uses.total - uses.workflows.length).toLocaleString("en")} more</li>
            )}
          </ul>
        </div>
      )}
    </Dialog>
  );
}
