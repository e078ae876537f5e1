export type SketchRole = "main" | "model" | "memory" | "tool";

/** A graph reduced to boxes and lines, in canvas pixels. */
export interface Sketch {
  nodes: { id: string; x: number; y: number; role: SketchRole }[];
  edges: { from: string; to: string; kind: SketchRole }[];
}

const cardWidth = 232;
const cardHeight = 64;
const margin = 24;

const colours: Record<SketchRole, string> = {
  main: "var(--color-role-main)",
  model: "var(--color-role-model)",
  memory: "var(--color-role-memory)",
  tool: "var(--color-role-tool)",
};

type Box = Sketch["nodes"][number];

/** Main edges run left to right; a service meets its agent on the side where it stands, below the main ports. */
function curve(from: Box, to: Box, kind: SketchRole): string {
  const middle = cardWidth / 2;
  if (kind === "model" && from.y > to.y + cardHeight) {
    const [x1, y1, x2, y2] = [from.x + middle, from.y, to.x + middle, to.y + cardHeight];
    const bend = (y1 - y2) / 2;
    return `M${x1} ${y1}C${x1} ${y1 - bend} ${x2} ${y2 + bend} ${x2} ${y2}`;
  }
  const [x1, x2] = from.x <= to.x ? [from.x + cardWidth, to.x] : [from.x, to.x + cardWidth];
  const y1 = from.y + cardHeight * 0.5;
  const y2 = to.y + cardHeight * (kind === "main" ? 0.5 : 0.75);
  const bend = (x2 - x1) / 2;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** A picture of a graph, for templates and lists; `small` leaves out what cannot be seen at that size. Purely decorative. */
export function GraphSketch({
  sketch,
  small = false,
  className,
}: {
  sketch: Sketch;
  small?: boolean;
  className?: string;
}) {
  const { nodes, edges } = sketch;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const left = Math.min(...nodes.map((node) => node.x), 0) - margin;
  const top = Math.min(...nodes.map((node) => node.y), 0) - margin;
  const right = Math.max(...nodes.map((node) => node.x + cardWidth), 0) + margin;
  const bottom = Math.max(...nodes.map((node) => node.y + cardHeight), 0) + margin;
  return (
    <svg
      aria-hidden
      className={className}
      viewBox={`${left} ${top} ${right - left} ${bottom - top}`}
      preserveAspectRatio="xMidYMid meet"
    >
      {edges.map(({ from, to, kind }) => {
        const [source, target] = [byId.get(from), byId.get(to)];
        if (source === undefined || target === undefined) return null;
        return (
          <path
            key={`${from}-${to}-${kind}`}
            d={curve(source, target, kind)}
            fill="none"
            stroke={colours[kind]}
            strokeWidth={small ? 10 : 4}
            strokeLinecap="round"
          />
        );
      })}
      {nodes.map((node) => (
        <g key={node.id} transform={`translate(${node.x} ${node.y})`}>
          {small ? (
            <rect width={cardWidth} height={cardHeight} rx={20} fill={colours[node.role]} />
          ) : (
            <Card colour={colours[node.role]} />
          )}
        </g>
      ))}
    </svg>
  );
}

function Card({ colour }: { colour: string }) {
  return (
    <>
      <rect
        width={cardWidth}
        height={cardHeight}
        rx={12}
        fill="var(--color-raised)"
        stroke="var(--color-line-strong)"
        strokeWidth={2}
      />
      <rect x={14} y={16} width={32} height={32} rx={8} fill={colour} opacity={0.85} />
      <rect x={60} y={18} width={104} height={11} rx={5.5} fill="var(--color-muted)" />
      <rect x={60} y={37} width={146} height={9} rx={4.5} fill="var(--color-line-strong)" />
    </>
  );
}
