import { type ReactNode, useId, useMemo, useState } from "react";
import { fewestParts, type SharedParts, type SharedRun } from "../../engine/run/share/shared-run.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { downloadText } from "../../ui/data/download-json.ts";
import { Input } from "../../ui/fields/input.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { isReachable, linkTo } from "./link-to.ts";
import { RunShareList } from "./run-share-list.tsx";

import { useShareChanges } from "./use-run-shares.ts";

interface ShareRunProps {
  /** Of a stored run that has ended. */
  runId: string;
  /** The run as strangers see it. */
  copyFor(parts: SharedParts): SharedRun;
  /** Shows a copy as its page does. */
  renderPreview(shared: SharedRun): ReactNode;
}

const choices: readonly { part: keyof SharedParts; label: string; hint: string }[] = [
  { part: "prompts", label: "Prompts and settings", hint: "System prompts, what was sent to models, node settings" },
  { part: "data", label: "Tool calls and data", hint: "Arguments, results, and what steps pass on" },
  { part: "files", label: "Files and pictures", hint: "Attached or generated" },
];

/** Shows a run as others will see it, and makes the link or the file. */
export function ShareRunDialog({ runId, copyFor, renderPreview, onClose }: ShareRunProps & { onClose: () => void }) {
  const id = useId();
  const [parts, setParts] = useState<SharedParts>(fewestParts);
  const copy = useMemo(() => copyFor(parts), [copyFor, parts]);
  const { share, save, revoke } = useShareChanges(runId);
  const [made, setMade] = useState<{ id: string; slug: string; expiresAt: string } | null>(null);
  const canLink = isReachable(location.hostname);
  const download = () =>
    save.submit(copy, { onDone: (html) => downloadText(`${fileName(copy.title)}.html`, "text/html", html) });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="xl"
      title="Share this run"
      description={
        canLink
          ? "Anyone with the link sees this page, without an account. It is read-only and ends after 30 days."
          : "Only this computer can reach this studio, so the run is shared as one HTML file. It is read-only and opens without a network."
      }
      footer={
        <>
          <Button icon="download" variant={canLink ? "secondary" : "primary"} busy={save.isPending} onClick={download}>
            Download file
          </Button>
          {canLink && (
            <Button
              variant="primary"
              icon="share"
              busy={share.isPending}
              onClick={() => share.submit(copy, { onDone: setMade })}
            >
              Create link
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4 md:flex-row">
        <section aria-label="Preview" className="flex min-w-0 flex-1 flex-col gap-1.5">
          <h3 className="text-xs font-medium text-muted">What others see</h3>
          <div className="h-[460px] max-h-[56dvh] overflow-clip rounded-lg border">{renderPreview(copy)}</div>
        </section>
        <div className="flex shrink-0 flex-col gap-4 md:w-64">
          <fieldset className="flex flex-col gap-3">
            <legend className="mb-2 font-medium">Also show</legend>
            {choices.map(({ part, label, hint }) => (
              <div key={part} className="flex items-start gap-3">
                <div className="min-w-0 flex-1">
                  <label htmlFor={`${id}-${part}`} className="font-medium">
                    {label}
                  </label>
                  <p id={`${id}-${part}-hint`} className="text-xs text-muted">
                    {hint}
                  </p>
                </div>
                <Switch
                  id={`${id}-${part}`}
                  aria-describedby={`${id}-${part}-hint`}
                  checked={parts[part]}
                  onCheckedChange={(on) => {
                    setParts({ ...parts, [part]: on });
                    setMade(null);
                  }}
                />
              </div>
            ))}
          </fieldset>
          <p className="text-xs text-muted">
            Always shown: the workflow’s name, the question, agents’ answers, and the name, model, time and tokens of
            each step. Keys in a form of a known service, and anything that this workflow masks, stay masked; other
            secrets do not. Look at the page before you share it.
          </p>
          {made !== null && (
            <div role="status" className="flex flex-col gap-1.5 rounded-lg border bg-accent-soft p-3">
              <p className="font-medium">The link is ready</p>
              <div className="flex items-center gap-1">
                <Input
                  readOnly
                  aria-label="Link"
                  value={linkTo(made.slug)}
                  onFocus={(event) => event.currentTarget.select()}
                />
                <CopyButton text={() => linkTo(made.slug)} label="Copy link" />
              </div>
              <p className="text-xs text-muted">
                It works until {formatMoment(Date.parse(made.expiresAt))}. Copy it now: it is not shown again.
              </p>
            </div>
          )}
          {canLink && (
            <RunShareList
              runId={runId}
              busy={revoke.isPending}
              onRevoke={(share) => {
                revoke.submit(share);
                if (made?.id === share) setMade(null);
              }}
            />
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** The title, as far as every file system takes it. */
function fileName(title: string): string {
  const plain = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `${plain.slice(0, 60) || "workflow"}-run`;
}
