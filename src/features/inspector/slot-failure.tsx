/** Says below a field that the things to choose from could not be loaded, and offers another try. */
export function SlotFailure({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <p role="alert" className="flex items-center gap-2 text-xs text-danger">
      The {what} could not be loaded.
      <button type="button" className="underline" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}
