import type { PageBox } from "../../engine/file/page-box.ts";

/** A piece of text on a page as pdf.js places it, in points from the lower left corner of the page. */
export interface PlacedText {
  str: string;
  /** How the text is turned and sized, and where its baseline begins: [a, b, c, d, e, f]. */
  transform: readonly number[];
  /** Along the baseline. */
  width: number;
  height: number;
  dir?: string;
}

/** A page as it is shown, turned as the PDF says. */
export interface PageView {
  width: number;
  height: number;
  convertToViewportPoint(x: number, y: number): number[];
}

/** How much of the height of its letters a text takes below its baseline. */
const below = 0.22;

/** Where the characters of a text from `from` up to the one before `to` are, taking all for equally wide; null where they have no place. */
export function textBox(text: PlacedText, range: { from: number; to: number }, view: PageView): PageBox | null {
  const { str, transform, width, dir } = text;
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
  const [along, up] = [Math.hypot(a, b), Math.hypot(c, d)];
  const height = text.height || up;
  if (along === 0 || up === 0 || str.length === 0) return null;
  const share = (at: number) => (dir === "rtl" ? str.length - at : at) / str.length;
  const corners = [share(range.from), share(range.to)].flatMap((part) =>
    [-below, 1 - below].map((level) =>
      view.convertToViewportPoint(
        x + (a / along) * width * part + (c / up) * height * level,
        y + (b / along) * width * part + (d / up) * height * level,
      ),
    ),
  );
  const across = corners.map(([at = 0]) => at / view.width);
  const down = corners.map(([, at = 0]) => at / view.height);
  const [left, top] = [Math.min(...across), Math.min(...down)];
  const box = { left, top, width: Math.max(...across) - left, height: Math.max(...down) - top };
  return Object.values(box).every(Number.isFinite) ? box : null;
}
