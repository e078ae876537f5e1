import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PriceChange } from "../../engine/models/price-changes.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { PriceChangesDialog } from "./price-changes-dialog.tsx";

const queryKey = ["model-prices"];

/** Which prices runs are counted by, and where its operator takes newer ones. */
export function ModelPrices({ address }: { address: string }) {
  const { prices } = useServices();
  const queries = useQueryClient();
  const [changes, setChanges] = useState<readonly PriceChange[] | null>(null);
  const stored = useQuery({ queryKey, queryFn: () => prices.take() });
  const check = useMutation({
    mutationFn: () => prices.check(address),
    onSuccess: (found) => {
      if (found.every(({ kind }) => kind === "gone")) showToast("The prices are up to date.");
      else setChanges(found);
    },
    onError: (error) => showError(error),
  });
  const drop = useMutation({
    mutationFn: () => prices.drop(),
    onSuccess: async () => {
      showToast("New runs use the prices of this version.");
      await queries.invalidateQueries({ queryKey });
    },
    onError: (error) => showError(error),
  });
  if (stored.isLoadingError) return <LoadFailure error={stored.error} onRetry={() => void stored.refetch()} />;
  if (stored.data === undefined) return <div role="status" aria-label="Loading the prices" className="skeleton h-14" />;
  const { acceptedOn, source, mayAccept } = stored.data;
  return (
    <>
      <p className="wrap-anywhere">
        {acceptedOn === null
          ? "Runs use the prices that come with this version."
          : `Prices from ${source} were accepted on ${acceptedOn}.`}
      </p>
      {mayAccept === true ? (
        <div className="flex flex-wrap gap-2">
          <Button busy={check.isPending} disabled={drop.isPending} onClick={() => check.mutate()}>
            Check for new prices
          </Button>
          {acceptedOn !== null && (
            <Button busy={drop.isPending} disabled={check.isPending} onClick={() => drop.mutate()}>
              Use this version’s prices
            </Button>
          )}
        </div>
      ) : (
        <p className="text-muted">The operator of this studio accepts new ones with npm run prices.</p>
      )}
      {changes !== null && (
        <PriceChangesDialog
          changes={changes}
          address={address}
          onClose={() => setChanges(null)}
          onAccepted={async () => {
            setChanges(null);
            showToast("New runs use the new prices.");
            await queries.invalidateQueries({ queryKey });
          }}
        />
      )}
    </>
  );
}
