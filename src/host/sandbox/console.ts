const mostLines = 500;
const mostCharacters = 64_000;

/**
 * Runs first inside the sandbox: makes `console` on a function that takes one line, timers, and what else is there on first
 * use, by the functions `ask`, `compare`, `source` and those of files. Hands back `JSON` as it was before the user's code could change it, and
 * the timers' clock: `wait` gives the milliseconds until the next timer, -1 without one, and `fire` runs it at once.
 */
export const preludeCode = `(function (write, ask, compareTexts, source, readFile, makeFile, startWork) {
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
  const define = Object.defineProperty, evaluate = eval, made = {};
  const set = (object, name, value) => define(object, name, { value, writable: true, configurable: true });
  const load = (part) => (made[part] ??= evaluate(source(part))({ set, ask, compareTexts, parse, stringify, readFile, makeFile, startWork }));
  const lazily = (part, names) => {
    for (const name of names.split(" "))
      define(globalThis, name, {
        configurable: true,
        get: () => { const value = load(part)[name]; set(globalThis, name, value); return value; },
        set: (value) => set(globalThis, name, value),
      });
  };
  lazily("intl", "Intl");
  lazily("web", "URL URLSearchParams TextEncoder TextDecoder crypto btoa atob structuredClone");
  lazily("files", "files");
  lazily("timers", "setTimeout setInterval clearTimeout clearInterval queueMicrotask");
  const lazyMethods = (prototype, names) => {
    for (const name of names.split(" "))
      set(prototype, name, function (...values) { load("intl"); return prototype[name].apply(this, values); });
  };
  lazyMethods(Date.prototype, "toLocaleString toLocaleDateString toLocaleTimeString");
  for (const { prototype } of [Number, BigInt, Array]) lazyMethods(prototype, "toLocaleString");
  lazyMethods(String.prototype, "localeCompare toLocaleUpperCase toLocaleLowerCase");
  const whole = (key, value) => {
    if (typeof value !== "bigint") return value;
    return value >= -9007199254740991n && value <= 9007199254740991n ? number(value) : text(value);
  };
  const written = (value) => {
    try { return stringify(value); } catch { return stringify(value, whole); }
  };
  return {
    wait: () => (made.timers ? made.timers.wait() : -1), fire: () => made.timers.fire(),
    parse, stringify: (value) => { const json = written(value); return json === undefined ? "null" : json; },
  };
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
