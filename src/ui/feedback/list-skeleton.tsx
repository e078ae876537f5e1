/** Grey shapes in place of a list that is on its way. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-2">
      <div className="skeleton h-16" />
      <div className="skeleton h-16" />
    </div>
  );
}
