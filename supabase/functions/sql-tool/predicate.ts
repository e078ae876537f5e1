import { joinSql, type Sql } from "./sql-text.ts";

/**
 * A condition that has been checked: what it says in SQL, and whether it could hold for every row whatever the rows are.
 * `trivial` speaks of the text alone: `always` it cannot be false, `never` it cannot hold, `either` no column decides it.
 */
export type Predicate =
  | {
      kind: "leaf";
      sql: Sql;
      trivial: Triviality;
      /** Canonical text of it and of its opposite, where it has one. */
      key: string;
      opposite?: string;
    }
  | { kind: "not"; part: Predicate }
  | { kind: "and" | "or"; parts: readonly Predicate[] };

/** As `Predicate` says; `depends`: the rows decide. */
export type Triviality = "always" | "never" | "either" | "depends";

/** A condition that is written out as true, false or null. */
export function constantPredicate(value: boolean | null): Predicate {
  const sql = [value === null ? "null::boolean" : String(value)];
  return { kind: "leaf", sql, trivial: value === true ? "always" : "never", key: sql[0] ?? "" };
}

/** The condition as SQL. */
export function predicateSql(predicate: Predicate): Sql {
  switch (predicate.kind) {
    case "leaf":
      return predicate.sql;
    case "not":
      return ["not (", ...predicateSql(predicate.part), ")"];
    case "and":
    case "or": {
      if (predicate.parts.length === 0) return [predicate.kind === "and" ? "true" : "false"];
      const parts = predicate.parts.map((part) =>
        part.kind === "leaf" ? part.sql : ["(", ...predicateSql(part), ")"],
      );
      return joinSql(parts, ` ${predicate.kind} `);
    }
  }
}

/**
 * Whether a condition restricts nothing: it holds for every row, or no column takes part in it. What depends on the rows,
 * such as `id <> -1`, cannot be told from the text; the cap on affected rows stands behind that.
 */
export function isAlwaysTrue(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case "leaf":
      return predicate.trivial === "always" || predicate.trivial === "either";
    case "not":
      return isNeverTrue(predicate.part);
    case "and":
      return predicate.parts.every(isAlwaysTrue);
    case "or":
      return predicate.parts.some(isAlwaysTrue) || holdsOpposites(flattened("or", predicate.parts));
  }
}

/** Whether a condition finds nothing whatever the rows are, so that its opposite restricts nothing. */
export function isNeverTrue(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case "leaf":
      return predicate.trivial === "never" || predicate.trivial === "either";
    case "not":
      return isAlwaysTrue(predicate.part);
    case "and":
      return predicate.parts.some(isNeverTrue) || holdsOpposites(flattened("and", predicate.parts));
    case "or":
      return predicate.parts.every(isNeverTrue);
  }
}

/** `(a or (b or c))` as one list. */
function flattened(kind: "and" | "or", parts: readonly Predicate[]): Predicate[] {
  return parts.flatMap((part) => (part.kind === kind ? flattened(kind, part.parts) : [part]));
}

/** Whether two of the parts are each other's opposite: one of them holds for every row, but for nulls. */
function holdsOpposites(parts: readonly Predicate[]): boolean {
  const keys = new Set<string>();
  const opposites: string[] = [];
  for (const part of parts) {
    const inner = part.kind === "not" ? part.part : part;
    const [key, opposite] = inner.kind === "leaf" ? [inner.key, inner.opposite] : [canonical(inner), undefined];
    if (part.kind === "not") {
      opposites.push(key);
      if (opposite !== undefined) keys.add(opposite);
    } else {
      keys.add(key);
      if (opposite !== undefined) opposites.push(opposite);
    }
  }
  return opposites.some((opposite) => keys.has(opposite));
}

function canonical(predicate: Predicate): string {
  return JSON.stringify(predicateSql(predicate));
}
