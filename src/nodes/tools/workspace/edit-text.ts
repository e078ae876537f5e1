/** A text after a replacement, or why none was made, in words for a model. */
export type EditedText = { ok: true; text: string; replaced: number } | { ok: false; message: string; hint: string };

/** So many places of a text that was found more than once are named. */
const maxPlaces = 10;

/** Replaces a text by another where it stands exactly once, or everywhere if that is wanted. */
export function editText(text: string, before: string, after: string, everywhere: boolean): EditedText {
  if (before === after) return { ok: false, message: "Old and new text are the same.", hint: "Send what to change." };
  const places = placesOf(text, before);
  if (places.length === 0) {
    const hint = "Copy it exactly as read_file gives it, with its spaces and line breaks.";
    return { ok: false, message: `The old text was not found.${nearWords(text, before)}`, hint };
  }
  if (places.length > 1 && !everywhere) {
    const lines = places.slice(0, maxPlaces).map((at) => lineAt(text, at));
    const more = places.length > maxPlaces ? ", …" : "";
    const message = `The old text was found ${places.length} times, in lines ${lines.join(", ")}${more}.`;
    return { ok: false, message, hint: "Send more of the text around it, or replace all." };
  }
  return { ok: true, text: text.split(before).join(after), replaced: places.length };
}

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

/** Where the first line of the old text stands with other spaces. */
function nearWords(text: string, before: string): string {
  const first = plain(before.split("\n").find((line) => line.trim() !== "") ?? "");
  if (first === "") return "";
  const line = text.split("\n").findIndex((each) => plain(each).includes(first));
  return line === -1 ? "" : ` Line ${line + 1} is like its first line, with other spaces or line breaks.`;
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
