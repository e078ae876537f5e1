import { useState } from "react";
import { type CredentialSummary, ServiceError } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { useCredentialCache } from "./credential-cache.ts";
import type { CredentialKind } from "./credential-kinds.ts";
import { CredentialSettings } from "./credential-settings.tsx";

interface SettingsDialogProps {
  credential: CredentialSummary;
  kind: CredentialKind;
  onClose(): void;
}

/** Changes what may be done with a stored credential; its secret stays as it is. */
export default function SettingsDialog({ credential, kind, onClose }: SettingsDialogProps) {
  const { credentials } = useServices();
  const cache = useCredentialCache();
  const [settings, setSettings] = useState(credential.settings);
  const { id, name, type } = credential;
  const save = useDialogMutation({
    save: () => credentials.save({ id, name, type, fields: {}, settings }),
    refresh: cache.refresh,
    showsError: true,
  });
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={(open) => !open && onClose()}
      title={`Access of ${name}`}
      description="What agents may learn and reach with this credential. The secret stays as it is."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.submit(undefined, { onDone: onClose });
        }}
      >
        <CredentialSettings kind={kind} settings={settings} onChange={setSettings} />
        {save.error !== null && (
          <Notice tone="danger" title={save.error.message}>
            {save.error instanceof ServiceError && save.error.hint}
          </Notice>
        )}
        <div className="flex justify-end gap-2 pt-1 max-sm:[&>button]:flex-1">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
