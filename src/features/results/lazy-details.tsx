import { type ReactNode, useState } from "react";

/** A part that is closed at first and made when it is first opened: a closed one costs nothing. */
export function LazyDetails({ summary, children }: { summary: ReactNode; children: () => ReactNode }) {
  const [opened, setOpened] = useState(false);
  return (
    <details onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary className="text-sm">{summary}</summary>
      {opened && children()}
    </details>
  );
}
