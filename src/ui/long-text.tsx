import { useState } from "react";

const firstCharacters = 4_000;

/** Text as it is, with its line breaks; a long one is cut and shown in full on request. */
export function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && text.length > firstCharacters;
  return (
    <div className="text-sm whitespace-pre-wrap wrap-anywhere">
      {cut ? text.slice(0, firstCharacters) : text}
      {cut && (
        <button type="button" className="ml-1 text-accent hover:underline" onClick={() => setWhole(true)}>
          … show {text.length - firstCharacters} more characters
        </button>
      )}
    </div>
  );
}
