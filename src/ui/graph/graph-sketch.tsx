import { markColours, type Sketch, type SketchKind, type SketchNode, sketchCard, sketchColours } from "./sketch.ts";
import { SketchCard } from "./sketch-card.tsx";

const margin = 24;

/** Main edges run left to right; a service meets its agent on the side where it stands, below the main ports. */
function curve(from: SketchNode, to: SketchNode, kind: SketchKind): string {
  const middle = sketchCard.width / 2;
  if (kind === "model" && from.y > to.y + sketchCard.height) {
    const [x1, y1, x2, y2] = [from.x + middle, from.y, to.x + middle, to.y + sketchCard.height];
    const bend = (y1 - y2) / 2;
    return `M${x1} ${y1}C${x1} ${y1 - bend} ${x2} ${y2 + bend} ${x2} ${y2}`;
  }
  const [x1, x2] = from.x <= to.x ? [from.x + sketchCard.width, to.x] : [from.x, to.x + sketchCard.width];
  const y1 = from.y + sketchCard.height * 0.5;
  const y2 = to.y + sketchCard.height * (kind === "main" ? 0.5 : 0.75);
  const bend = (x2 - x1) / 2;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

function boundsOf(nodes: readonly SketchNode[]) {
  const first = nodes[0];
  const left = Math.min(...nodes.map((node) => node.x), first?.x ?? 0) - margin;
  const top = Math.min(...nodes.map((node) => node.y), first?.y ?? 0) - margin;
  const right = Math.max(...nodes.map((node) => node.x + (node.size ?? sketchCard).width), left) + margin;
  const bottom = Math.max(...nodes.map((node) => node.y + (node.size ?? sketchCard).height), top) + margin;
  return { left, top, width: right - left, height: bottom - top };
}

/** A ring round a card that works, a check on one that has. */
function RunMark({ working }: { working: boolean }) {
  const { width, height } = sketchCard;
  return working ? (
    <rect width={width} height={height} rx={12} fill="none" stroke="var(--color-accent)" strokeWidth={6} />
  ) : (
    <g transform={`translate(${width} 0)`}>
      <circle r={16} fill="var(--color-success)" />
      <path
        d="M-7 0L-2 6L7 -6"
        fill="none"
        stroke="var(--color-surface)"
        strokeWidth={4}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </g>
  );
}

function Box({ node, small, run }: { node: SketchNode; small: boolean; run?: "working" | "done" | undefined }) {
  return (
    <g transform={`translate(${node.x} ${node.y})`}>
      {small ? (
        <rect {...(node.size ?? sketchCard)} rx={20} fill={sketchColours[node.role]} />
      ) : (
        <SketchCard node={node} />
      )}
      {run !== undefined && <RunMark working={run === "working"} />}
    </g>
  );
}

/**
 * A picture of a graph, for templates, lists and versions; `small` leaves out what cannot be seen at that size. With a
 * `label` it is an image of that name, otherwise purely decorative.
 */
export function GraphSketch({
  sketch,
  small = false,
  label,
  working,
  done,
  className,
}: {
  sketch: Sketch;
  small?: boolean;
  label?: string;
  /** Ids of the nodes that are at work, for a picture of a run; a wire between two of them carries something. */
  working?: ReadonlySet<string>;
  /** Ids of the nodes that have done their work. */
  done?: ReadonlySet<string>;
  className?: string;
}) {
  const { nodes, edges } = sketch;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const { left, top, width, height } = boundsOf(nodes);
  return (
    <svg
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
      className={className}
      viewBox={`${left} ${top} ${width} ${height}`}
      preserveAspectRatio="xMidYMid meet"
    >
      {nodes.map((node) => node.role === "frame" && <Box key={node.id} node={node} small={small} />)}
      {edges.map(({ from, to, kind, mark }) => {
        const [source, target] = [byId.get(from), byId.get(to)];
        if (source === undefined || target === undefined) return null;
        return (
          <path
            key={`${from}-${to}-${kind}-${mark ?? ""}`}
            d={curve(source, target, kind)}
            fill="none"
            stroke={
              mark !== undefined
                ? markColours[mark]
                : working?.has(from) && working.has(to)
                  ? "var(--color-accent)"
                  : sketchColours[kind]
            }
            strokeWidth={small ? 10 : mark === undefined ? 4 : 6}
            strokeDasharray={mark === "removed" ? "10 10" : undefined}
            strokeLinecap="round"
          />
        );
      })}
      {nodes.map(
        (node) =>
          node.role !== "frame" && (
            <Box
              key={node.id}
              node={node}
              small={small}
              run={working?.has(node.id) ? "working" : done?.has(node.id) ? "done" : undefined}
            />
          ),
      )}
    </svg>
  );
}
