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
