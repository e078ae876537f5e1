import { Button } from "../buttons/button.tsx";
import { CopyButton } from "../buttons/copy-button.tsx";
import { Dialog } from "./dialog.tsx";
import { hideMadeSecret, type MadeSecret } from "./made-secret-store.ts";
import { Notice } from "../feedback/notice.tsx";

/** Shows a secret that was just made, once. */
export function MadeSecretDialog({ name, secret, hint = "It is not shown again." }: MadeSecret) {
  const inSentence = name.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={hideMadeSecret}
      title={`Your new ${inSentence}`}
      footer={
        <Button variant="primary" onClick={hideMadeSecret}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Notice tone="warning" title="Copy it now">
          {hint}
        </Notice>
        <div className="flex items-center gap-2 rounded-md border bg-surface py-1 pr-1 pl-3">
          <code aria-label={name} className="min-w-0 flex-1 font-mono text-xs wrap-anywhere">
            {secret}
          </code>
          <CopyButton text={() => secret} label={`Copy the ${inSentence}`} />
        </div>
      </div>
    </Dialog>
  );
}
