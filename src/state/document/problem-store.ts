import { createStore, type StoreApi } from "zustand/vanilla";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { Problem } from "../../engine/document/problem.ts";
import type { Json } from "../../engine/json.ts";
import type { RunExtent } from "../../engine/run/run-reach.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { DocumentStore } from "./document-store.ts";
import { loadProblemChecks } from "./load-problem-checks.ts";
import type { ProblemState } from "./problems-of.ts";

export type { Problem } from "../../engine/document/problem.ts";
export { problemsOf, type ProblemState } from "./problems-of.ts";

export interface ProblemStore extends StoreApi<ProblemState> {
  /** Watches the document; returns the function that stops it. */
  start(): () => void;
  /**
   * What keeps a run with this input from starting, of the document as it is at this moment (or of the one given); null
   * while the checks are still being loaded.
   */
  checkRun(input: Json, options?: RunPart): readonly Problem[] | null;
  /**
   * What is wrong by what one `source` outside the document knows, such as a collection that was deleted; a run finds that
   * out. Replaces what the same source said before.
   */
  setOutside(source: "collections" | "sessions", problems: readonly Problem[]): void;
}

/** The part of a workflow that a run would take, and the workflow where it is not the open one. */
interface RunPart extends Partial<Omit<RunExtent, "input">> {
  document?: WorkflowDocument;
}

/** Milliseconds of quiet after an edit before the workflow is checked again. */
const checkDelay = 120;

const none: readonly Problem[] = [];

function group(problems: readonly Problem[]): Record<string, Problem[]> {
  const byNode: Record<string, Problem[]> = {};
  for (const problem of problems) {
    if (problem.nodeId !== undefined) (byNode[problem.nodeId] ??= []).push(problem);
  }
  return byNode;
}

/** Keeps the lists of nodes whose problems are what they were, so that only changed nodes render again. */
function share(previous: ProblemState["byNode"], next: Record<string, Problem[]>): Record<string, readonly Problem[]> {
  return Object.fromEntries(
    Object.entries(next).map(([id, problems]) => {
      const before = previous[id];
      return [id, before && JSON.stringify(before) === JSON.stringify(problems) ? before : problems];
    }),
  );
}

/**
 * What is wrong with the open document, kept up to date while people edit. The checks bring the expression language
 * along, so they are loaded once the canvas stands.
 */
export function createProblemStore(document: DocumentStore, registry: NodeRegistry): ProblemStore {
  const store = createStore<ProblemState>()(() => ({ problems: none, byNode: {} }));
  let checks: Awaited<ReturnType<typeof loadProblemChecks>> | null = null;

  const outside = new Map<string, readonly Problem[]>();

  function checkNow(): void {
    if (checks === null) return;
    const known = checks.validateWorkflow(document.getState().document, registry);
    const problems = [...known, ...[...outside.values()].flat()];
    store.setState({ problems, byNode: share(store.getState().byNode, group(problems)) });
  }

  const setOutside: ProblemStore["setOutside"] = (source, problems) => {
    if (problems.length === 0 && (outside.get(source) ?? none).length === 0) return;
    outside.set(source, problems);
    checkNow();
  };

  function checkRun(input: Json, options: RunPart = {}): readonly Problem[] | null {
    checkNow();
    return (
      checks && checks.problemsOfRun(options.document ?? document.getState().document, registry, { ...options, input })
    );
  }

  async function load(): Promise<void> {
    checks = await loadProblemChecks();
    checkNow();
  }

  /** Checks that could not be loaded, as without a connection, are asked for again after the next edit. */
  function check(): void {
    if (checks === null) load().catch(() => {});
    else checkNow();
  }

  function start(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    check();
    const unsubscribe = document.subscribe((state, previous) => {
      if (state.document === previous.document) return;
      clearTimeout(timer);
      timer = setTimeout(check, checkDelay);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }
  return Object.assign(store, { start, checkRun, setOutside });
}
