import type { RunEvent } from "../../engine/run/events.ts";
import { type LogLevel, type LogNames, logText } from "./log-text.ts";

/** From the least to the most important. */
export const logLevels = ["debug", "info", "warn", "error"] as const satisfies readonly LogLevel[];

/** One line of the logs; `event` is what it tells of. */
export interface LogLine {
  seq: number;
  at: number;
  level: LogLevel;
  message: string;
  nodeId: string | undefined;
  event: RunEvent;
}

/** What an event says in a log; null for the single words of a stream. */
export function logLine(event: RunEvent, names: LogNames): LogLine | null {
  const said = logText(event, names);
  if (said === null) return null;
  const nodeId = "nodeId" in event ? event.nodeId : undefined;
  return { seq: event.seq, at: event.at, level: said[0], message: said[1], nodeId, event };
}

/** The log of one run, read event by event as it grows. */
export class LogReading {
  private readonly lines: LogLine[] = [];
  private read = 0;
  private names: LogNames | undefined;
  /** Indices of the lines that name something. */
  private readonly naming: number[] = [];

  /**
   * The lines of all events before `nextSeq`; each event is turned into a line once, and again only where it names
   * something and `names` is another object than the last time. `events` may only have grown.
   */
  upTo(nextSeq: number, events: readonly RunEvent[], names: LogNames): LogLine[] {
    if (this.names !== names) this.rename(names);
    this.names = names;
    let asked = false;
    const watched: LogNames = {
      node: (id) => {
        asked = true;
        return names.node(id);
      },
      edge: (id) => {
        asked = true;
        return names.edge(id);
      },
    };
    for (let event = events[this.read]; event !== undefined && event.seq < nextSeq; event = events[this.read]) {
      this.read += 1;
      asked = false;
      const line = logLine(event, watched);
      if (line === null) continue;
      if (asked) this.naming.push(this.lines.length);
      this.lines.push(line);
    }
    let end = this.lines.length;
    while (end > 0 && (this.lines[end - 1]?.seq ?? 0) >= nextSeq) end -= 1;
    return this.lines.slice(0, end);
  }

  private rename(names: LogNames): void {
    for (const index of this.naming) {
      const before = this.lines[index];
      const line = before && logLine(before.event, names);
      if (line && line.message !== before.message) this.lines[index] = line;
    }
  }
}

/** Whether a line is of at least this level. */
export function hasLevel({ level }: LogLine, least: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least);
}

/** Whether a line's message or event contains the text, in any case; `wanted` is in lower case. */
export function contains({ message, event }: LogLine, wanted: string): boolean {
  return message.toLowerCase().includes(wanted) || JSON.stringify(event).toLowerCase().includes(wanted);
}
