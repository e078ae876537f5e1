import { once } from "node:events";

/** Writes a line and waits until the reader has kept up, so that nothing piles up or is cut when the process ends. */
export async function printLine(line: string, stream: NodeJS.WriteStream = process.stdout): Promise<void> {
  if (stream.destroyed || stream.write(`${line}\n`)) return;
  // A reader that went away is no failure of the run; whoever watches the stream hears of it there.
  await Promise.race([once(stream, "drain"), once(stream, "close")]).catch(() => undefined);
}

/** Resolves when everything written has left the process; an exit before that cuts what a pipe still holds. */
export function flushed(stream: NodeJS.WriteStream = process.stdout): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}

/** What is worth knowing of a file that was read, one line each, for the person at the terminal. */
export async function printNotes(notes: readonly string[], file?: string): Promise<void> {
  const place = file === undefined ? "" : ` in ${file}`;
  for (const note of notes) await printLine(`Note${place}: ${note}`, process.stderr);
}
