const ansiEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

/** Where reading stands: the text, the place, and what has been read of the current word. */
interface Reader {
  text: string;
  at: number;
  word: string | null;
}

/** Takes what stands between single quotes, literally. */
function readSingle(reader: Reader): boolean {
  const end = reader.text.indexOf("'", reader.at);
  if (end < 0) return false;
  reader.word = (reader.word ?? "") + reader.text.slice(reader.at, end);
  reader.at = end + 1;
  return true;
}

/** Takes what stands between double quotes; a backslash keeps `$ " \` and the back tick, and joins lines. */
function readDouble(reader: Reader): boolean {
  let word = reader.word ?? "";
  while (reader.at < reader.text.length) {
    const character = reader.text.charAt(reader.at++);
    if (character === '"') {
      reader.word = word;
      return true;
    }
    const next = reader.text.charAt(reader.at);
    if (character === "\\" && (next === "\n" || '$`"\\'.includes(next))) {
      word += next === "\n" ? "" : next;
      reader.at += 1;
    } else word += character;
  }
  return false;
}

/** Takes `$'…'`, with the escapes of C. */
function readAnsi(reader: Reader): boolean {
  let word = reader.word ?? "";
  while (reader.at < reader.text.length) {
    const character = reader.text.charAt(reader.at++);
    if (character === "'") {
      reader.word = word;
      return true;
    }
    if (character !== "\\") {
      word += character;
      continue;
    }
    const code = /^(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2}))/.exec(reader.text.slice(reader.at, reader.at + 5));
    if (code) {
      word += String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? "0", 16));
      reader.at += code[0].length;
    } else {
      const next = reader.text.charAt(reader.at++);
      word += ansiEscapes[next] ?? `\\${next}`;
    }
  }
  return false;
}

/**
 * A command line as the words that a POSIX shell makes of it: quotes, backslashes, `$'…'`, lines joined by a backslash. Nothing
 * is expanded. Ends at the first `;`, `|`, `&` or line break outside quotes. Null when a quote is not closed.
 */
export function shellWords(text: string): string[] | null {
  const reader: Reader = { text: text.replace(/\r\n?/g, "\n"), at: 0, word: null };
  const words: string[] = [];
  while (reader.at < reader.text.length) {
    const character = reader.text.charAt(reader.at++);
    let closed = true;
    if (character === "'") closed = readSingle(reader);
    else if (character === '"') closed = readDouble(reader);
    else if (character === "$" && reader.text.charAt(reader.at) === "'") {
      reader.at += 1;
      closed = readAnsi(reader);
    } else if (character === "\\") {
      const next = reader.text.charAt(reader.at++);
      if (next !== "\n") reader.word = (reader.word ?? "") + next;
    } else if (/\s/.test(character)) {
      if (reader.word !== null) words.push(reader.word);
      reader.word = null;
      if (character === "\n" && words.length > 0) break;
    } else if (/[;|&]/.test(character)) break;
    else reader.word = (reader.word ?? "") + character;
    if (!closed) return null;
  }
  if (reader.word !== null) words.push(reader.word);
  return words;
}
