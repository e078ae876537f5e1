const height = 96;
const gap = 0.2;

/** One bar: its parts from the bottom up, and what it says in words. */
export interface Bar {
  at: number;
  parts: readonly { value: number; className: string }[];
  words: string;
}

/** Bars over time; nothing where all are empty. The page's table says the same in words, so screen readers skip the picture. */
export function BarChart({ bars, top, nameOf }: { bars: readonly Bar[]; top: string; nameOf: (at: number) => string }) {
  const sizeOf = ({ parts }: Bar) => parts.reduce((sum, { value }) => sum + value, 0);
  const most = Math.max(...bars.map(sizeOf), 0);
  if (most === 0) return null;
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <figure aria-hidden className="flex flex-col gap-1">
      <p className="text-right text-xs text-faint numeric">{top}</p>
      <svg viewBox={`0 0 ${bars.length} ${height}`} preserveAspectRatio="none" className="h-24 w-full border-y">
        {bars.map((bar, index) => {
          let y = height;
          return (
            <g key={bar.at}>
              <title>{`${nameOf(bar.at)}: ${bar.words}`}</title>
              <rect x={index} y={0} width={1} height={height} fill="transparent" />
              {bar.parts.map(({ value, className }) => {
                const size = value > 0 ? Math.max((value / most) * (height - 4), 1) : 0;
                y -= size;
                return (
                  <rect key={className} x={index + gap / 2} y={y} width={1 - gap} height={size} className={className} />
                );
              })}
            </g>
          );
        })}
      </svg>
      <figcaption className="flex justify-between text-xs text-faint">
        <span>{first && nameOf(first.at)}</span>
        <span>{last && nameOf(last.at)}</span>
      </figcaption>
    </figure>
  );
}
