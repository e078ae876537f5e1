import { Icon } from "../icons/icon.tsx";
import { markColours, type SketchMark, type SketchNode, sketchCard, sketchColours, tileColours } from "./sketch.ts";

/** Longest title that fits a card at this size, in characters. */
const titleChars = 15;

/** What each mark is drawn as, inside a circle of radius 16. */
const signs: Record<SketchMark, string> = {
  added: "M-8 0H8M0 -8V8",
  removed: "M-8 0H8",
  changed: "M-8 3C-5 -6 -2 -4 0 0S5 6 8 -3",
  moved: "M-8 0H8M2 -6L8 0L2 6",
};

function Mark({ mark, x }: { mark: SketchMark; x: number }) {
  return (
    <g transform={`translate(${x} 0)`}>
      <circle r={16} fill={markColours[mark]} />
      <path d={signs[mark]} fill="none" stroke="var(--color-surface)" strokeWidth={4} strokeLinecap="round" />
    </g>
  );
}

/** The icon of a card on its tile, as on the canvas; a little larger, since pictures are small. */
function Tile({ icon, role }: { icon: string; role: keyof typeof tileColours }) {
  return (
    <>
      <rect x={10} y={10} width={44} height={44} rx={9} fill={tileColours[role]} />
      <g transform="translate(18 18)" color={sketchColours[role]}>
        <Icon name={icon} size={28} />
      </g>
    </>
  );
}

function Frame({ width, height, title }: { width: number; height: number; title: string }) {
  return (
    <>
      <rect
        width={width}
        height={height}
        rx={16}
        fill="color-mix(in oklab, var(--color-line) 45%, transparent)"
        stroke="var(--color-line-strong)"
        strokeWidth={2}
      />
      <text x={18} y={34} fontSize={20} fontWeight={500} fill="var(--color-muted)">
        {title}
      </text>
    </>
  );
}

/** One node of a sketch: a card with chip and title, a note, or the frame of a group. */
export function SketchCard({ node: { role, size, title, icon = "box", mark } }: { node: SketchNode }) {
  const { width, height } = size ?? sketchCard;
  const shown = title.length > titleChars ? `${title.slice(0, titleChars - 1)}…` : title;
  if (role === "frame") {
    return (
      <>
        <Frame width={width} height={height} title={shown} />
        {mark !== undefined && <Mark mark={mark} x={width} />}
      </>
    );
  }
  return (
    <g opacity={mark === "removed" ? 0.75 : 1}>
      <rect
        width={width}
        height={height}
        rx={12}
        fill={role === "note" ? "var(--color-warning-soft)" : "var(--color-raised)"}
        stroke={mark === undefined ? "var(--color-line-strong)" : markColours[mark]}
        strokeWidth={mark === undefined ? 2 : 5}
        strokeDasharray={mark === "removed" ? "12 8" : undefined}
      />
      {role !== "note" && (
        <>
          <Tile icon={icon} role={role} />
          <text x={62} y={39} fontSize={19} fontWeight={500} fill="var(--color-ink)">
            {shown}
          </text>
        </>
      )}
      {mark !== undefined && <Mark mark={mark} x={width} />}
    </g>
  );
}
