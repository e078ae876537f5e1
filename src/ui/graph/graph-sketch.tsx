import { Fragment } from "react";
import {
  markColours,
  type RunSpans,
  type Sketch,
  type SketchKind,
  type SketchNode,
  sketchCard,
  sketchColours,
} from "./sketch.ts";
import { SketchCard } from "./sketch-card.tsx";

const margin = 24;

/** Where lines arrive at the side of a card, as a part of its height. */
const endHeights: Record<SketchKind, number> = { main: 0.5, model: 0.75, memory: 0.7, tool: 0.85 };

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
  const y2 = to.y + sketchCard.height * endHeights[kind];
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

/** Rings while a card works, and a check once it has. */
function RunMarks({ spans }: { spans: RunSpans[string] }) {
  const { width, height } = sketchCard;
  return (
    <>
      {spans.map(([at, until]) => (
        <rect
          key={at}
          className="run-ring"
          style={{ "--at": at, "--until": until }}
          width={width}
          height={height}
          rx={12}
          fill="none"
          stroke="var(--color-accent)"
          strokeWidth={6}
        />
      ))}
      <g className="run-arrival" style={{ "--until": spans.at(-1)?.[1] }}>
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
      </g>
    </>
  );
}

/** When both ends of a wire work. */
function sharedSpans(from: RunSpans[string] = [], to: RunSpans[string] = []): RunSpans[string] {
  return from
    .flatMap(([at, until]) => to.map((other) => [Math.max(at, other[0]), Math.min(until, other[1])] as const))
    .filter(([at, until]) => at < until);
}

function Box({ node, small, spans }: { node: SketchNode; small: boolean; spans?: RunSpans[string] | undefined }) {
  return (
    <g transform={`translate(${node.x} ${node.y})`}>
      {small ? (
        <rect {...(node.size ?? sketchCard)} rx={20} fill={sketchColours[node.role]} />
      ) : (
        <SketchCard node={node} />
      )}
      {spans && <RunMarks spans={spans} />}
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
  run,
  className,
}: {
  sketch: Sketch;
  small?: boolean;
  label?: string;
  /** A run to play, timed by `played-run.css`; a wire between two nodes that work carries something. */
  run?: RunSpans;
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
        const key = `${from}-${to}-${kind}-${mark ?? ""}`;
        const d = curve(source, target, kind);
        const line = {
          d,
          fill: "none",
          strokeWidth: small ? 10 : mark === undefined ? 4 : 6,
          strokeLinecap: "round",
        } as const;
        return (
          <Fragment key={key}>
            <path
              {...line}
              stroke={mark === undefined ? sketchColours[kind] : markColours[mark]}
              strokeDasharray={mark === "removed" ? "10 10" : undefined}
            />
            {sharedSpans(run?.[from], run?.[to]).map(([at, until]) => (
              <path
                key={at}
                {...line}
                className="run-ring"
                style={{ "--at": at, "--until": until }}
                stroke="var(--color-accent)"
              />
            ))}
          </Fragment>
        );
      })}
      {nodes.map(
        (node) => node.role !== "frame" && <Box key={node.id} node={node} small={small} spans={run?.[node.id]} />,
      )}
    </svg>
  );
}
