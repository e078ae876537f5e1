const whole = new Intl.NumberFormat("en");

interface FrequencyTableProps {
  title: string;
  /** What each row is. */
  each: string;
  /** What is counted, and what stands beside it, where anything does. */
  counts: readonly [string] | readonly [string, string];
  rows: readonly { name: string; count: number; second?: number }[];
  /** Whether the bars mean something bad. */
  danger?: boolean;
}

/** Names with how often each occurred, and a bar that shows its part. */
export function FrequencyTable({ title, each, counts, rows, danger = false }: FrequencyTableProps) {
  const most = Math.max(...rows.map(({ count }) => count), 0);
  return (
    <div className="rounded-lg border bg-surface">
      <table className="w-full table-fixed text-left text-sm numeric">
        <caption className="px-4 pt-3 pb-1 text-left text-base font-semibold">{title}</caption>
        <thead className="text-xs text-muted">
          <tr className="border-b">
            <th scope="col" className="px-4 py-1 font-normal">
              {each}
            </th>
            {counts.map((count) => (
              <th key={count} scope="col" className="w-20 px-4 py-1 text-right font-normal">
                {count}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, second }) => (
            <tr key={name} className="border-b last:border-b-0">
              <th scope="row" className="px-4 py-1.5 font-normal">
                <span className="block wrap-anywhere">{name}</span>
                <svg aria-hidden viewBox="0 0 100 2" preserveAspectRatio="none" className="h-1 w-full">
                  <rect
                    width={most > 0 ? (count / most) * 100 : 0}
                    height={2}
                    className={danger ? "fill-danger" : "fill-accent"}
                  />
                </svg>
              </th>
              <td className="px-4 py-1.5 text-right">{whole.format(count)}</td>
              {counts.length > 1 && <td className="px-4 py-1.5 text-right">{second ? whole.format(second) : ""}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
