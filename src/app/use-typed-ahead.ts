import { useEffect, useState } from "react";

/** Text that is typed while the field for it is on its way. */
interface TypedAhead {
  /** The field has been asked for: from now on keys are kept for it. */
  begin(): void;
  /** The field is there, or no longer wanted: what has been typed meanwhile. */
  take(): string;
}

/** Keeps what is typed between asking for a field that loads late and its coming, so that nothing is lost. */
export function useTypedAhead(): TypedAhead {
  const [ahead] = useState(createTypedAhead);
  useEffect(() => () => void ahead.take(), [ahead]);
  return ahead;
}

function createTypedAhead(): TypedAhead {
  let text = "";
  function keep(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key.length === 1) text += event.key;
    else if (event.key === "Backspace") text = text.slice(0, -1);
    else return;
    event.preventDefault();
  }
  return {
    begin() {
      text = "";
      window.addEventListener("keydown", keep);
    },
    take() {
      window.removeEventListener("keydown", keep);
      return text;
    },
  };
}
