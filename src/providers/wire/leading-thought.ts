interface Pieces {
  text: string;
  thought: string;
}

/** Reads the pieces of one answer. */
export interface ThoughtReader {
  take(piece: string): Pieces;
  end(): Pieces;
}

const opening = "<think>";
const closing = "</think>";

/** The length of the longest beginning of `mark` with which `text` ends. */
function begunAtEnd(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length -= 1)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}

/**
 * Takes an answer in pieces and sets apart the thought in `<think>` tags at its beginning, as servers send it that do not read what
 * the model writes. `end` gives what was held back until it was clear what it is.
 */
export function createThoughtReader(): ThoughtReader {
  let place: "start" | "thought" | "gap" | "answer" = "start";
  let held = "";

  function take(piece: string): Pieces {
    if (place === "answer") return { text: piece, thought: "" };
    held += piece;
    let thought = "";
    if (place === "start") {
      const begun = held.trimStart();
      if (opening.startsWith(begun)) return { text: "", thought };
      if (!begun.startsWith(opening)) return { text: answer(held), thought };
      held = begun.slice(opening.length);
      place = "thought";
    }
    if (place === "thought") {
      const end = held.indexOf(closing);
      const ready = end === -1 ? held.length - begunAtEnd(held, closing) : end;
      thought = held.slice(0, ready);
      held = held.slice(ready);
      if (end === -1) return { text: "", thought };
      held = held.slice(closing.length);
      place = "gap";
    }
    const text = held.trimStart();
    if (text === "") return { text, thought };
    return { text: answer(text), thought };
  }

  function answer(text: string): string {
    place = "answer";
    held = "";
    return text;
  }

  function end(): Pieces {
    const rest = held;
    held = "";
    if (place === "thought") return { text: "", thought: rest };
    return { text: place === "start" ? rest : "", thought: "" };
  }

  return { take, end };
}
