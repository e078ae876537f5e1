import type { ApiKeyDraft, ApiKeyLimits } from "../../services/services.ts";

/** What a person typed and chose for a new key. */
export interface KeyForm {
  name: string;
  /** Every workflow, also those that are published later; otherwise those in `slugs`. */
  all: boolean;
  slugs: readonly string[];
  readRuns: boolean;
  approve: boolean;
  knowledge: boolean;
  /** Days; empty for never. */
  lasts: string;
  perMinute: string;
  concurrent: string;
  dayUsd: string;
  monthUsd: string;
  /** One per line. */
  origins: string;
}

export const emptyKeyForm: KeyForm = {
  name: "",
  all: true,
  slugs: [],
  readRuns: false,
  approve: false,
  knowledge: false,
  lasts: "90",
  perMinute: "",
  concurrent: "",
  dayUsd: "",
  monthUsd: "",
  origins: "",
};

/** Limits of a key in the order of the form. */
export const keyLimits = [
  { name: "perMinute", label: "Requests a minute", whole: true },
  { name: "concurrent", label: "Runs at the same time", whole: true },
  { name: "dayUsd", label: "US$ per day", whole: false },
  { name: "monthUsd", label: "US$ per month", whole: false },
] as const;

type Problems = Partial<Record<keyof KeyForm, string>>;

/** The key that the form says, or what is wrong, by field. `now`: milliseconds since 1970. */
export function readKeyForm(
  form: KeyForm,
  now: number,
): { ok: true; draft: ApiKeyDraft } | { ok: false; problems: Problems } {
  const problems: Problems = {};
  const limits: ApiKeyLimits = {};
  if (form.name.trim() === "") problems.name = "Give it a name, such as the program that uses it.";
  const run = form.all ? ["run:*"] : form.slugs.map((slug) => `run:${slug}`);
  const others = [
    { on: form.readRuns, scope: "runs:read" },
    { on: form.approve, scope: "approve" },
    { on: form.knowledge, scope: "knowledge" },
  ];
  const scopes = [...run, ...others.filter(({ on }) => on).map(({ scope }) => scope)];
  if (scopes.length === 0) problems.slugs = "Choose at least one workflow, or something else that the key may do.";
  for (const { name, whole } of keyLimits) {
    const text = form[name].trim();
    if (text === "") continue;
    const value = Number(text);
    if (!Number.isFinite(value) || value <= 0) problems[name] = "Use a number above zero, or leave it empty.";
    else if (whole && !Number.isInteger(value)) problems[name] = "Use a whole number.";
    else limits[name] = value;
  }
  const origins = form.origins.split("\n").map((line) => line.trim());
  const given = origins.filter((line) => line !== "").map((line) => ({ line, origin: originOf(line) }));
  const wrong = given.find(({ origin }) => origin === null);
  if (wrong !== undefined) problems.origins = `“${wrong.line}” is no origin. Write it as https://example.com.`;
  const known = given.flatMap(({ origin }) => (origin === null ? [] : [origin]));
  if (known.length > 0) limits.origins = known;
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const expiresAt = form.lasts === "" ? null : new Date(now + Number(form.lasts) * 86_400_000).toISOString();
  return { ok: true, draft: { name: form.name.trim(), scopes, limits, expiresAt } };
}

/** The origin of an address as browsers send it; null for what is none. */
function originOf(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { origin, pathname } = new URL(text);
  return pathname === "/" ? origin : null;
}

/** What a key may do, in words. */
export function scopeWords(scopes: readonly string[]): string[] {
  return scopes.map((scope) => {
    if (scope === "run:*") return "Run all workflows";
    if (scope === "runs:read") return "Read runs";
    if (scope === "knowledge") return "Change documents";
    return scope === "approve" ? "Approve" : `Run ${scope.replace(/^run:/, "")}`;
  });
}
