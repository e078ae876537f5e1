import { contains, type LogLine } from "./log-lines.ts";

/**
 * Finds the lines with a text piece by piece: looking into every event of a long run takes longer than a page may stand
 * still. What was found out of a line is kept, so that only new lines cost anything while a run goes on.
 */
export class LogSearch {
  private readonly verdicts = new WeakMap<LogLine, boolean>();
  private readonly wanted: string;

  constructor(text: string) {
    this.wanted = text.trim().toLowerCase();
  }

  /** Every line has an empty text. */
  get isEmpty(): boolean {
    return this.wanted === "";
  }

  /** Looks at lines that were not looked at while `mayGoOn`, at one at least; true once all are. */
  look(lines: readonly LogLine[], mayGoOn: () => boolean): boolean {
    for (const line of lines) {
      if (this.isEmpty || this.verdicts.has(line)) continue;
      this.verdicts.set(line, contains(line, this.wanted));
      if (!mayGoOn()) return line === lines.at(-1);
    }
    return true;
  }

  /** Whether the line was found to have the text. */
  has(line: LogLine): boolean {
    return this.isEmpty || this.verdicts.get(line) === true;
  }
}
