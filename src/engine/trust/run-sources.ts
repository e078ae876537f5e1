import { noTaint, type Taint } from "./taint.ts";

/** Who asks a run for something in the owner's place, as a person calls him. */
export const askers = ["visitor", "caller"] as const;
export type Asker = (typeof askers)[number];

/**
 * Whose words the input of a run holds: its owner's, those of callers of a door, or what another run left behind, which
 * may quote anything that run has read.
 */
type RunSourceTrust =
  | { words: "owner" }
  /** `door`: its kind, under which the owner may say that callers are trusted. `from`: where the text came from, for a person. */
  | { words: "callers"; door: string; from: string; who: Asker }
  | { words: "another run"; from: string };

/**
 * Everything that can start a run, each with its trust. The database knows the same names (`studio_runs.source`) and decides
 * by the same rules (`private.studio_callers_of`); a source that is not listed here starts nothing.
 */
export const runSources = {
  editor: { words: "owner" },
  manual: { words: "owner" },
  schedule: { words: "owner" },
  failure: { words: "another run", from: "the error of another run" },
  api: { words: "callers", door: "api", from: "a call of the API", who: "caller" },
  webhook: { words: "callers", door: "hook", from: "a request to the webhook", who: "caller" },
  chat: { words: "callers", door: "chat", from: "a visitor of the chat page", who: "visitor" },
  mcp: { words: "callers", door: "mcp", from: "a call by an MCP client", who: "caller" },
} as const satisfies Record<string, RunSourceTrust>;

/** What started a run. */
export type RunSource = keyof typeof runSources;

/** A source that is a door: others than the owner give the input. */
export type DoorSource = {
  [Source in RunSource]: (typeof runSources)[Source] extends { words: "callers" } ? Source : never;
}[RunSource];

/** The kind of a door, as it is stored. */
export type DoorKind = (typeof runSources)[DoorSource]["door"];

/** All kinds of doors. */
export const doorKinds = Object.values(runSources).flatMap((trust): DoorKind[] =>
  "door" in trust ? [trust.door] : [],
);

const callers = new Map<string, Asker>(
  Object.values(runSources).flatMap((trust) => ("door" in trust ? [[trust.from, trust.who]] : [])),
);

/** Who sent the text from this source by a door; undefined where it came in another way. */
export function callerOf(source: string): Asker | undefined {
  return callers.get(source);
}

/** Whether text from this source is what a door's caller sent. */
export function isOfCallers(source: string): boolean {
  return callers.has(source);
}

/** All sources. */
export const runSourceNames = Object.keys(runSources).filter((name): name is RunSource =>
  Object.hasOwn(runSources, name),
);

/**
 * Who gave the input of a run, as it was stored when the run was queued. Null for an owner's run, and for one of a version that was
 * published before doors were told apart.
 */
export const callerTrusts = ["untrusted", "trusted"] as const;

/** One of `callerTrusts`. */
export type CallerTrust = (typeof callerTrusts)[number];

/** What a run is told of its input (`RunOptions`). */
export function trustOfInput(
  source: RunSource,
  callers: CallerTrust | null,
): { untrusted: Taint; callersTrusted: boolean; asker?: Asker } {
  const trust = runSources[source];
  // An owner's run that is marked goes on with the recording of another.
  const from = trust.words === "owner" ? "the run that it continues" : trust.from;
  return {
    untrusted: callers === "untrusted" ? [from] : noTaint,
    callersTrusted: callers === "trusted",
    ...("who" in trust && callers === "trusted" ? { asker: trust.who } : {}),
  };
}
