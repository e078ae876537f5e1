const mostLines = 500;
const mostCharacters = 64_000;

/**
 * Runs first inside the sandbox: makes `console` on a function that takes one line, and hands back `JSON` as it was
 * before the user's code could change it.
 */
export const preludeCode = `(function (write) {
  const stringify = JSON.stringify, parse = JSON.parse, text = String, number = Number;
  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return value.name + ": " + value.message;
    try { const json = stringify(value); return json === undefined ? text(value) : json; } catch { return text(value); }
  };
  const say = (level) => (...values) => {
    let line = level;
    for (let index = 0; index < values.length; index += 1) line += (index ? " " : "") + show(values[index]);
    write(line);
  };
  globalThis.console = Object.freeze({
    log: say(""), info: say(""), debug: say(""), warn: say("warn: "), error: say("error: "),
  });
  const whole = (key, value) => {
    if (typeof value !== "bigint") return value;
    return value >= -9007199254740991n && value <= 9007199254740991n ? number(value) : text(value);
  };
  const written = (value) => {
    try { return stringify(value); } catch { return stringify(value, whole); }
  };
  return { parse, stringify: (value) => { const json = written(value); return json === undefined ? "null" : json; } };
})`;

/** Collects console lines up to a bound; what comes after is counted in one last line. */
export function createLogSink(): { lines: string[]; write(line: string): void } {
  const lines: string[] = [];
  let characters = 0;
  let dropped = 0;
  const write = (line: string) => {
    if (lines.length - (dropped > 0 ? 1 : 0) < mostLines && characters + line.length <= mostCharacters) {
      lines.push(line);
      characters += line.length;
      return;
    }
    if (dropped > 0) lines.pop();
    dropped += 1;
    lines.push(`… ${dropped} more ${dropped === 1 ? "line was" : "lines were"} left out`);
    characters = mostCharacters;
  };
  return { lines, write };
}
