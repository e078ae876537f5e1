import type { ComponentType, SVGProps } from "react";

/** A letter drawn boldly on the grid of the icons, as the mark of a vendor. */
function letterMark(path: string): ComponentType<SVGProps<SVGSVGElement>> {
  return function LetterMark({ strokeWidth: _thin, ...props }) {
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={3}
        strokeLinecap="round"
        strokeLinejoin="round"
        {...props}
      >
        <path d={path} />
      </svg>
    );
  };
}

export const LetterA = letterMark("M4.5 20 12 4l7.5 16M7.5 14.5h9");
export const LetterG = letterMark("M18.6 7.4A8 8 0 1 0 20 12.5h-7");
export const LetterO = letterMark("M12 4c4.4 0 7.5 3.4 7.5 8s-3.1 8-7.5 8-7.5-3.4-7.5-8S7.6 4 12 4Z");
