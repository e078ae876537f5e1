/** Where the cause of a failure lies. */
export const verdictKinds = [
  "graph",
  "configuration",
  "credential",
  "provider",
  "input",
  "model-behaviour",
  "nothing-to-fix",
] as const;

/** One of `verdictKinds`. */
export type VerdictKind = (typeof verdictKinds)[number];

/** What went wrong in a run, with the steps that show it. */
export interface Verdict {
  kind: VerdictKind;
  explanation: string;
  runId: string;
  /** Numbers (`seq`) of the run's events, each of which exists. */
  steps: readonly number[];
}

/** How each kind is called. */
export const verdictWords: Readonly<Record<VerdictKind, string>> = {
  graph: "Connections",
  configuration: "Settings",
  credential: "Credential",
  provider: "Provider",
  input: "Input",
  "model-behaviour": "Model behavior",
  "nothing-to-fix": "Nothing to fix",
};

/** Whether a change of the workflow can mend it. */
export function mayPropose(kind: VerdictKind): boolean {
  return kind === "graph" || kind === "configuration";
}
