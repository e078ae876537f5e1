/** Headers that were typed, or why they cannot be used, in words. */
type ReadHeaders = { ok: true; headers: Record<string, string> } | { ok: false; problem: string };

/** Reads one header from each line, "Name: value". Empty lines are left out. */
export function readHeaders(text: string): ReadHeaders {
  const headers: Record<string, string> = {};
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, name = "", value = ""] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === "" || value === "") {
      const shown = line.includes(":") ? `${line.split(":")[0]}: …` : "a line without a colon";
      return { ok: false, problem: `Write each header as Name: value, not ${shown}.` };
    }
    headers[name] = value;
  }
  return { ok: true, headers };
}
