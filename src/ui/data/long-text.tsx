import { useState } from "react";

/** How many times more each request shows; a page of millions of characters at once would stand still. */
const growth = 10;

interface LongTextProps {
  text: string;
  className?: string;
  /** Characters that are shown at first. */
  first?: number;
}

/** Text as it is, with its line breaks; a long one is cut and shown further on request. */
export function LongText({ text, className = "text-sm", first = 4_000 }: LongTextProps) {
  const [shown, setShown] = useState(first);
  const rest = text.length - shown;
  const next = Math.min(rest, shown * (growth - 1));
  return (
    <div className={`${className} whitespace-pre-wrap wrap-anywhere`}>
      {rest > 0 ? text.slice(0, shown) : text}
      {rest > 0 && (
        <button type="button" className="ml-1 text-accent hover:underline" onClick={() => setShown(shown * growth)}>
          … show {next.toLocaleString("en")} {next < rest && `of ${rest.toLocaleString("en")} `}more characters
        </button>
      )}
    </div>
  );
}
