import { useMutation } from "@tanstack/react-query";
import { acceptedModels, type PriceChange, priceText } from "../../engine/models/price-changes.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";

interface PriceChangesDialogProps {
  changes: readonly PriceChange[];
  address: string;
  onClose(): void;
  onAccepted(): Promise<void>;
}

/** Shows how a list of prices differs from what is known, and takes it over as a whole. */
export function PriceChangesDialog({ changes, address, onClose, onAccepted }: PriceChangesDialogProps) {
  const { prices } = useServices();
  const accept = useMutation({
    mutationFn: () => prices.accept(acceptedModels(changes), address),
    onSuccess: () => onAccepted(),
    onError: (error) => showError(error),
  });
  const groups = kinds.map((kind) => ({ kind, of: changes.filter((change) => change.kind === kind) }));
  const count = changes.filter(({ kind }) => kind === "new" || kind === "changed").length;
  return (
    <Dialog
      open
      modalOnly
      size="lg"
      title="New prices"
      description="US dollars per million tokens. Recorded runs keep the prices they had."
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={count === 0} busy={accept.isPending} onClick={() => accept.mutate()}>
            {count === 1 ? "Accept 1 change" : `Accept ${count} changes`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5" role="region" aria-label="Differences" tabIndex={0}>
        {groups
          .filter(({ of }) => of.length > 0)
          .map(({ kind, of }) => (
            <section key={kind} aria-label={words[kind].title} className="flex flex-col gap-2">
              <div>
                <h3 className="font-semibold">
                  {words[kind].title} <span className="font-normal text-muted numeric">{of.length}</span>
                </h3>
                {words[kind].help !== undefined && <p className="text-muted">{words[kind].help}</p>}
              </div>
              <ul className="flex flex-col gap-2">
                {of.slice(0, maxShown).map((change) => (
                  <Change key={`${change.list} ${change.name}`} change={change} />
                ))}
              </ul>
              {of.length > maxShown && <p className="text-muted">and {of.length - maxShown} more</p>}
            </section>
          ))}
      </div>
    </Dialog>
  );
}

function Change({ change: { kind, list, name, before, after } }: { change: PriceChange }) {
  return (
    <li>
      <p className="wrap-anywhere">
        <span className="font-medium">{name}</span> <span className="text-muted">{list}</span>
      </p>
      <p className="text-xs text-muted numeric wrap-anywhere">
        {kind === "new" || kind === "gone" ? priceText(after ?? before) : `${priceText(before)} → ${priceText(after)}`}
      </p>
    </li>
  );
}

const maxShown = 100;

const kinds: readonly PriceChange["kind"][] = ["refused", "changed", "new", "gone"];

const words: Record<PriceChange["kind"], { title: string; help?: string }> = {
  refused: { title: "Refused", help: "A price would fall to 0, so that spending limits would not count the model." },
  changed: { title: "Changed" },
  new: { title: "New" },
  gone: { title: "No longer listed", help: "They keep their prices." },
};
