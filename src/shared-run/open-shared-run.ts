import { createStore } from "zustand/vanilla";
import { z } from "zod/mini";
import type { AnyNodeDefinition, NodeRegistry } from "../engine/document/define-node.ts";
import { schemaVersion, type WorkflowDocument } from "../engine/document/workflow-document.ts";
import type { JsonObject } from "../engine/json.ts";
import { reduceRunAll } from "../engine/run/reduce-run.ts";
import { emptyRunState, type RunState } from "../engine/run/run-state.ts";
import { sharedId, type SharedRun, type SharedType } from "../engine/run/share/shared-run.ts";
import { createApprovalStore } from "../state/run/approval-store.ts";
import { createBreakpointStore } from "../state/run/breakpoint-store.ts";
import { createCanvasStore } from "../state/editor/canvas-store.ts";
import { createFrozenStore } from "../state/document/document-store.ts";
import type { Editor } from "../state/editor/editor-context.tsx";
import { createPauseStore } from "../state/run/pause-store.ts";
import type { ProblemState } from "../state/document/problems-of.ts";
import { createRunStore } from "../state/run/run-store.ts";

const labels = z.record(z.string(), z.string());

const nothing = () => {};
const never = () => Promise.reject(new Error("A shared run cannot be changed."));

const noStorage = (): Storage => {
  throw new Error("A shared run keeps nothing in the browser.");
};

/** A definition of which only the look is known; its nodes cannot run. */
function shownDefinition(type: string, look: SharedType): AnyNodeDefinition {
  return {
    ...look,
    type,
    version: 1,
    config: z.object({}),
    reach: [],
    describe: ({ line }) => (typeof line === "string" ? line : ""),
    shownOutputs: ({ outputs }) => labels.safeParse(outputs).data,
    run: never,
  };
}

function shownDocument({ title, nodes, edges }: SharedRun): WorkflowDocument {
  return {
    schemaVersion,
    id: sharedId,
    name: title,
    nodes: Object.fromEntries(
      nodes.map(({ line, outputs, ...node }) => {
        const config: JsonObject = { ...(line === undefined ? {} : { line }), ...(outputs && { outputs }) };
        return [node.id, { ...node, version: 1, config }];
      }),
    ),
    edges: Object.fromEntries(edges.map((edge) => [edge.id, edge])),
  };
}

/** What the panels that show a run work with; `whole` is the run at its end. */
export function openSharedRun(shared: SharedRun): { editor: Editor; whole: RunState } {
  const registry: NodeRegistry = Object.fromEntries(
    Object.entries(shared.types).map(([type, look]) => [type, shownDefinition(type, look)]),
  );
  const reduced = reduceRunAll(emptyRunState(sharedId), shared.events);
  // Only runs that are over are shared; one without an end was broken off.
  const whole: RunState = reduced.status === "running" ? { ...reduced, status: "interrupted" } : reduced;
  const document = createFrozenStore(shownDocument(shared), nothing);
  const canvas = createCanvasStore();
  const runs = createRunStore();
  runs.getState().open(whole, shared.events);
  const problems = createStore<ProblemState>()(() => ({ problems: [], byNode: {} }));
  const editor: Editor = {
    workflowId: sharedId,
    readOnly: true,
    registry,
    document,
    canvas,
    runs,
    approvals: createApprovalStore(),
    pauses: createPauseStore(),
    breakpoints: createBreakpointStore(sharedId, noStorage),
    problems: Object.assign(problems, { start: () => nothing, checkRun: () => null, setOutside: nothing }),
    autosave: {
      start: () => nothing,
      flush: () => Promise.resolve(),
      end: nothing,
      refresh: () => Promise.resolve(),
      keepMine: never,
      takeTheirs: nothing,
      saveAsCopy: never,
    },
    context: { document, canvas, registry, newId: () => sharedId, notify: nothing },
    commands: [],
  };
  return { editor, whole };
}
