export type Side = "top" | "right" | "bottom" | "left";
export type Align = "start" | "center" | "end";

/** A rectangle in client coordinates. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Placement {
  left: number;
  top: number;
  /** What fits between the anchor and the window's edge, or the window's height at the sides. */
  maxHeight: number;
}

/** The least distance from the window's edge. */
const margin = 8;

const opposite: Record<Side, Side> = { top: "bottom", bottom: "top", left: "right", right: "left" };

const clamp = (value: number, size: number, room: number) => Math.max(margin, Math.min(value, room - margin - size));

/**
 * Where a floating panel of `size` goes beside `anchor`: on the preferred side when it fits there or there is more room than
 * on the opposite one, aligned with the anchor's start, centre or end, and never out of the window.
 */
export function placeFloating(
  anchor: Box,
  size: { width: number; height: number },
  room: { width: number; height: number },
  preferred: { side: Side; align: Align; gap: number },
): Placement {
  const { align, gap } = preferred;
  const space: Record<Side, number> = {
    top: anchor.top - gap - margin,
    bottom: room.height - anchor.top - anchor.height - gap - margin,
    left: anchor.left - gap - margin,
    right: room.width - anchor.left - anchor.width - gap - margin,
  };
  const across = preferred.side === "left" || preferred.side === "right";
  const needed = across ? size.width : size.height;
  const other = opposite[preferred.side];
  const side = needed <= space[preferred.side] || space[preferred.side] >= space[other] ? preferred.side : other;

  if (across) {
    const left = side === "left" ? anchor.left - gap - size.width : anchor.left + anchor.width + gap;
    const top = anchor.top + shift(align, anchor.height, size.height);
    return {
      left: clamp(left, size.width, room.width),
      top: clamp(top, size.height, room.height),
      maxHeight: room.height - 2 * margin,
    };
  }
  const height = Math.min(size.height, space[side]);
  return {
    left: clamp(anchor.left + shift(align, anchor.width, size.width), size.width, room.width),
    top: side === "top" ? anchor.top - gap - height : anchor.top + anchor.height + gap,
    maxHeight: Math.max(space[side], 80),
  };
}

function shift(align: Align, anchor: number, own: number): number {
  if (align === "start") return 0;
  return align === "end" ? anchor - own : (anchor - own) / 2;
}
