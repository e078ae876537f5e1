import type { Assertion } from "../../evaluation/assertions/assertion.ts";
import { matchesPattern } from "../../engine/template/match-pattern.ts";

/** What a row of the form checks. */
export const checkKinds = ["contains", "not-contains", "equals", "matches", "uses-tool", "judge", "cost"] as const;
export type CheckKind = (typeof checkKinds)[number];

/** One check as it is typed. */
export interface CheckRow {
  /** Tells rows apart while they are edited. */
  key: string;
  kind: CheckKind;
  value: string;
  /** Of texts that are looked for: capitals matter. */
  matchCase: boolean;
  /** The assertion that the row was made of: it stays as it is while the row says the same. */
  origin?: Assertion;
}

/** How a kind is called, and what to write. */
export const checkTexts: Readonly<
  Record<CheckKind, { label: string; value: string; placeholder: string; missing: string }>
> = {
  contains: {
    label: "contains",
    value: "Text that the answer contains",
    placeholder: "Text in the answer",
    missing: "Write the text that the answer has to contain.",
  },
  "not-contains": {
    label: "does not contain",
    value: "Text that the answer does not contain",
    placeholder: "Text not in the answer",
    missing: "Write the text that must not be in the answer.",
  },
  equals: {
    label: "equals",
    value: "The whole answer",
    placeholder: "The whole answer",
    missing: "Write the answer that is expected, word for word.",
  },
  matches: {
    label: "matches",
    value: "Regular expression",
    placeholder: "Regular expression, such as \\d{4}",
    missing: "Write a regular expression.",
  },
  "uses-tool": {
    label: "uses tool",
    value: "Name of the tool",
    placeholder: "Name of the tool",
    missing: "Name the tool that has to be called.",
  },
  judge: {
    label: "judge says",
    value: "What the judge has to agree to",
    placeholder: "Such as: The answer is polite and names a date.",
    missing: "Write what the judge has to agree to.",
  },
  cost: {
    label: "costs at most",
    value: "US dollars",
    placeholder: "0.01",
    missing: "Write an amount in US dollars, 0 or more.",
  },
};

/** Kinds whose text may have several lines. */
export const hasLines: ReadonlySet<CheckKind> = new Set(["contains", "not-contains", "equals", "judge"]);

/** An assertion as a row, or undefined for one that only its JSON can show. */
export function rowOf(assertion: Assertion, key: string): CheckRow | undefined {
  const { type, value, threshold, weight, metric } = assertion;
  if (weight !== 1 || metric !== undefined) return undefined;
  const row = (kind: CheckKind, text: string, matchCase = false): CheckRow | undefined =>
    text.trim() === "" || (text.includes("\n") && !hasLines.has(kind))
      ? undefined
      : { key, kind, value: text, matchCase, origin: assertion };
  if (type === "cost")
    return value === undefined && threshold !== undefined ? row("cost", String(threshold)) : undefined;
  if (threshold !== undefined || typeof value !== "string") return undefined;
  switch (type) {
    case "icontains":
      return row("contains", value);
    case "contains":
      return row("contains", value, true);
    case "not-icontains":
      return row("not-contains", value);
    case "not-contains":
      return row("not-contains", value, true);
    case "equals":
      return row("equals", value);
    case "regex":
      return row("matches", value);
    case "tool-used":
      return row("uses-tool", value);
    case "llm-rubric":
      return row("judge", value);
    default:
      return undefined;
  }
}

/** The assertion that a row stands for, or what is wrong with the row. */
export function assertionOf(row: CheckRow): { ok: true; assertion: Assertion } | { ok: false; problem: string } {
  const { kind, value, matchCase, origin } = row;
  const same = origin && rowOf(origin, row.key);
  if (origin && same && same.kind === kind && same.value === value && same.matchCase === matchCase)
    return { ok: true, assertion: origin };
  const problem = rowProblem(row);
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, assertion: { ...typed(row), weight: 1 } };
}

function rowProblem({ kind, value }: CheckRow): string | undefined {
  const { missing } = checkTexts[kind];
  if (value.trim() === "") return missing;
  if (kind === "cost") return Number.isFinite(Number(value)) && Number(value) >= 0 ? undefined : missing;
  if (kind !== "matches") return undefined;
  try {
    matchesPattern("", value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function typed({ kind, value, matchCase }: CheckRow): Omit<Assertion, "weight"> {
  switch (kind) {
    case "contains":
      return { type: matchCase ? "contains" : "icontains", value };
    case "not-contains":
      return { type: matchCase ? "not-contains" : "not-icontains", value };
    case "equals":
      return { type: "equals", value };
    case "matches":
      return { type: "regex", value };
    case "uses-tool":
      return { type: "tool-used", value: value.trim() };
    case "judge":
      return { type: "llm-rubric", value };
    case "cost":
      return { type: "cost", threshold: Number(value) };
    default:
      return kind satisfies never;
  }
}
