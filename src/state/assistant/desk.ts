import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { Problem } from "../../engine/document/problem.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { applyEdits } from "./apply-edits.ts";
import { type Change, listChanges } from "./changes.ts";
import { newErrors } from "./check-draft.ts";
import { namesIn } from "./edit-rules.ts";
import { failingCases, type ReadSuite } from "./failing-cases.ts";
import type { Edit, EditProblem } from "./edits.ts";
import { dataOf } from "./run-digest.ts";
import { mayPropose, type Verdict } from "./verdict.ts";

/** A stored run as the assistant reads it. */
export interface ReadRun {
  id: string;
  events: readonly RunEvent[];
  /** The workflow as it was then. */
  document: WorkflowDocument;
}

/** A run in a list. */
export interface RunLine {
  id: string;
  status: string;
  startedAt: string;
  input: Json;
  costUsd: number | null;
  totalTokens: number | null;
  error?: string;
}

/** Where the assistant reads the runs of the open workflow; both reject with words when that fails. */
export interface RunReader {
  list(limit: number): Promise<RunLine[]>;
  read(runId: string): Promise<ReadRun>;
}

/** Changes that wait for the person. */
export interface Proposal {
  base: WorkflowDocument;
  draft: WorkflowDocument;
  changes: readonly Change[];
  /** Errors that the changes would bring; with any, they cannot be accepted. */
  problems: readonly Problem[];
}

/** What the assistant has found and proposes in one conversation. */
export interface DeskState {
  proposal: Proposal | null;
  verdict: Verdict | null;
}

/** What the desk works on. */
export interface DeskOptions {
  registry: NodeRegistry;
  newId(): string;
  /** The open workflow as it is at the moment. */
  document(): WorkflowDocument;
  runs: RunReader;
  onChange(state: DeskState): void;
  /** What an earlier visit has found and proposed, and nobody has decided yet. */
  kept?: Pick<Proposal, "base" | "draft"> & Pick<DeskState, "verdict">;
}

/** What stands for the run that the person asks about. */
export const thisRun = "this";

/** Batches with errors, and drafts with errors that the model may mend, before it has to stop. */
const mostRepairs = 3;

/** What came of a batch of edits. */
export type EditAnswer =
  | { ok: true; changes: readonly Change[]; problems: readonly Problem[] }
  | { ok: false; problems: readonly EditProblem[] }
  | { ok: false; refused: { message: string; hint: string } };

/**
 * Where the assistant works: a copy of the open workflow, the runs that it may read, and what it may do with both. Nothing here
 * changes the workflow; a person accepts what is proposed.
 */
export class Desk {
  private readonly options: DeskOptions;
  private base: WorkflowDocument;
  private draft: WorkflowDocument;
  private verdict: Verdict | null;
  private said = "";
  /** The run that the person asks about as "this run". */
  private asked: string | null = null;
  private failures = 0;
  private suite: (() => Promise<ReadSuite>) | null = null;
  /** Of the suite's cases, once they were read. */
  private caseTexts: readonly string[] = [];
  private readonly runs = new Map<string, ReadRun>();
  private readonly runNames = new Set<string>();
  /** Texts that anybody may have written are in the conversation: runs that were read or listed, now or before. */
  private tainted = false;
  private earlier: Promise<void> = Promise.resolve();

  constructor(options: DeskOptions) {
    this.options = options;
    const { kept } = options;
    this.base = kept?.base ?? options.document();
    this.draft = kept?.draft ?? this.base;
    this.verdict = kept?.verdict ?? null;
  }

  /** What is found and proposed at the moment. */
  state(): DeskState {
    const { registry } = this.options;
    const { base, draft, verdict } = this;
    const changes = listChanges(base, draft, registry);
    const proposal = changes.length === 0 ? null : { base, draft, changes, problems: newErrors(base, draft, registry) };
    return { proposal, verdict };
  }

  /** A person asks for something, of a run where that is given. What was proposed before and is still open stays. */
  beginRequest(text: string, runId: string | null = null): void {
    this.asked = runId ?? this.asked;
    this.said = `${this.said}\n${text}`;
    this.failures = 0;
    this.verdict = null;
    if (listChanges(this.base, this.draft, this.options.registry).length === 0) this.rebase(this.options.document());
    this.tell();
  }

  /** Another conversation begins: what was read and said before does not count any more, and open changes are gone. */
  forget(): void {
    this.said = "";
    this.asked = null;
    this.runs.clear();
    this.runNames.clear();
    this.tainted = false;
    this.improve(null);
    this.verdict = null;
    this.rebase(this.options.document());
    this.tell();
  }

  /** From now on prompts are improved for a suite, and nothing else is changed; null ends that. */
  improve(suite: (() => Promise<ReadSuite>) | null): void {
    this.suite = suite;
    this.caseTexts = [];
  }

  /** Whether there is a suite to improve prompts for. */
  get isImproving(): boolean {
    return this.suite !== null;
  }

  /** The cases of the suite that do not pass every time. */
  async readFailingCases(): Promise<JsonObject> {
    if (this.suite === null) throw new Error("There is no suite to improve the prompts for.");
    const suite = await this.suite();
    this.caseTexts = suite.cases.flatMap(({ input, expected }) =>
      [input, expected ?? null].map((value) => (typeof value === "string" ? value : JSON.stringify(value))),
    );
    return failingCases(suite);
  }

  /** The workflow with the open changes. */
  current(): WorkflowDocument {
    return this.draft;
  }

  get registry(): NodeRegistry {
    return this.options.registry;
  }

  listRuns(limit: number): Promise<RunLine[]> {
    return this.options.runs.list(limit);
  }

  /** By its id, or the one that the person asks about by `thisRun`. */
  async readRun(id: string): Promise<ReadRun> {
    const runId = id === thisRun ? this.asked : id;
    if (runId === null) throw new Error("The person has not said which run. List the runs, or ask.");
    const known = this.runs.get(runId);
    if (known !== undefined) return known;
    const run = await this.options.runs.read(runId);
    this.runs.set(runId, run);
    this.tainted = true;
    for (const data of dataOf(run.events)) namesIn(data, this.runNames);
    return run;
  }

  /** Goes on with a conversation; `tainted`: whether untrusted content was in it before. */
  continueAfter(tainted: Promise<boolean>): void {
    this.earlier = tainted.then(
      (is) => void (this.tainted ||= is),
      // What cannot be read may hold anything.
      () => void (this.tainted = true),
    );
  }

  /** Resolves once it is known what was in the conversation before. */
  ready(): Promise<void> {
    return this.earlier;
  }

  /** A run that was listed shows what people typed, so it counts as read. */
  noteListed(runs: readonly RunLine[]): void {
    for (const { input } of runs) {
      namesIn(input, this.runNames);
      this.tainted = true;
    }
  }

  giveVerdict(verdict: Verdict): void {
    this.verdict = verdict;
    if (!mayPropose(verdict.kind)) this.draft = this.base;
    this.tell();
  }

  edit(edits: readonly Edit[]): EditAnswer {
    const refused = this.refusal();
    if (refused !== undefined) return { ok: false, refused };
    const { registry, newId } = this.options;
    const rules = {
      base: this.base,
      registry,
      said: this.said,
      hasReadRun: this.tainted,
      runNames: this.runNames,
      improving: this.suite === null ? undefined : { texts: this.caseTexts },
    };
    const applied = applyEdits(this.draft, edits, { rules, newId });
    if (!applied.ok) {
      this.failures += 1;
      return applied;
    }
    this.draft = applied.document;
    const problems = newErrors(this.base, this.draft, registry);
    if (problems.length > 0) this.failures += 1;
    this.tell();
    return { ok: true, changes: listChanges(this.base, this.draft, this.options.registry), problems };
  }

  private refusal(): { message: string; hint: string } | undefined {
    if (this.failures > mostRepairs)
      return {
        message: `The changes had errors ${this.failures} times.`,
        hint: "Stop here and tell the person what you could not do.",
      };
    if (Object.values(this.base.nodes).some(({ unreviewed }) => unreviewed === true))
      return {
        message: "Parts of this workflow came with an import and nobody here has looked at them yet.",
        hint: "Tell the person to review them first, in the list above the canvas.",
      };
    if (this.tainted && this.verdict === null)
      return {
        message: "You have read a run and not said yet what is wrong with it.",
        hint: "Give the verdict first. Only faults of the graph or its settings are mended by edits.",
      };
    if (this.verdict !== null && !mayPropose(this.verdict.kind))
      return {
        message: "By your verdict the fault is not in the workflow.",
        hint: "Tell the person what to do instead; propose no changes.",
      };
    return undefined;
  }

  /** Goes on with the workflow as it is now and the changes that are still open, or with none. */
  settle(draft: WorkflowDocument | null): void {
    const document = this.options.document();
    this.base = document;
    this.draft = draft ?? document;
    this.tell();
  }

  private rebase(document: WorkflowDocument): void {
    this.base = document;
    this.draft = document;
  }

  private tell(): void {
    this.options.onChange(this.state());
  }
}
