import { useEffect, useRef, useState } from "react";
import { Input } from "./input.tsx";
import { isEnter } from "./composing.ts";

/** A name being edited in place: Enter and leaving keep it, Escape gives `null`; so do an empty and an unchanged name. */
export function NameInput({
  label,
  value,
  onDone,
}: {
  label: string;
  value: string;
  onDone: (name: string | null) => void;
}) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const finished = useRef(false);

  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  function finish(keep: boolean) {
    if (finished.current) return;
    finished.current = true;
    const name = text.trim();
    onDone(keep && name !== "" && name !== value ? name : null);
  }

  return (
    <Input
      ref={input}
      aria-label={label}
      value={text}
      maxLength={200}
      className="relative z-10 max-w-96 font-medium"
      onChange={(event) => setText(event.target.value)}
      onBlur={({ relatedTarget, currentTarget }) => {
        const dialog = relatedTarget?.closest("dialog");
        // One that opened over the page by itself gives the keyboard back.
        if (dialog && !dialog.contains(currentTarget)) return;
        finish(true);
      }}
      onKeyDown={(event) => {
        if (isEnter(event)) finish(true);
        if (event.key === "Escape") finish(false);
      }}
    />
  );
}
