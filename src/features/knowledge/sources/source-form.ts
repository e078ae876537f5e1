import { sourceBounds, type SourceDraft } from "../../../services/web-sources.ts";
import { readUrls } from "../url-dialog.tsx";

/** A source as it is typed. */
export interface SourceForm extends Pick<SourceDraft, "kind" | "everyHours"> {
  url: string;
  depth: string;
  include: string;
  exclude: string;
  maxPages: string;
  maxTokens: string;
}

export type SourceProblems = Partial<Record<keyof SourceForm, string>>;

export function formOf(draft: SourceDraft): SourceForm {
  return {
    ...draft,
    depth: String(draft.depth),
    include: draft.include.join("\n"),
    exclude: draft.exclude.join("\n"),
    maxPages: String(draft.maxPages),
    maxTokens: String(draft.maxTokens),
  };
}

/** The source that was typed, or what is wrong with it, by field. */
export function readSourceForm(
  form: SourceForm,
): { ok: true; draft: SourceDraft } | { ok: false; problems: SourceProblems } {
  const problems: SourceProblems = {};
  const number = (name: keyof typeof sourceBounds): number => {
    const { min, max } = sourceBounds[name];
    const text = form[name].trim().replaceAll(",", "");
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      problems[name] = `Enter a whole number from ${min.toLocaleString("en")} to ${max.toLocaleString("en")}.`;
    }
    return value;
  };
  const patterns = (name: "include" | "exclude"): string[] => {
    const lines = form[name].split("\n").map((line) => line.trim());
    const given = lines.filter((line) => line !== "");
    const wrong = given.find((line) => !/^[/*]/.test(line));
    if (wrong !== undefined) problems[name] = `Begin “${wrong.slice(0, 60)}” with / or *.`;
    if (given.join(" ").length > 5_000) problems[name] = "Write fewer patterns, or use * in them.";
    return given;
  };
  const { urls, wrong } = readUrls(form.url);
  const [url = ""] = urls;
  if (wrong.length > 0 || urls.length !== 1) problems.url = "Enter one web address, such as https://example.com/help.";
  else if (url.length > 2_000) problems.url = "This address is too long.";
  const draft: SourceDraft = {
    kind: form.kind,
    everyHours: form.everyHours,
    url,
    depth: number("depth"),
    include: patterns("include"),
    exclude: patterns("exclude"),
    maxPages: number("maxPages"),
    maxTokens: number("maxTokens"),
  };
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, draft };
}
