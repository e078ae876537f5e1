import { createContext, type ReactNode, useContext } from "react";
import { useStore } from "zustand";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { ApprovalStore, ApprovalStoreState } from "../run/approval-store.ts";
import type { Autosave } from "../document/autosave.ts";
import type { CanvasState, CanvasStore } from "./canvas-store.ts";
import type { Command, CommandContext } from "../commands/command.ts";
import type { DocumentState, DocumentStore } from "../document/document-store.ts";
import type { BreakpointState, BreakpointStore } from "../run/breakpoint-store.ts";
import type { PauseState, PauseStore } from "../run/pause-store.ts";
import type { ProblemState, ProblemStore } from "../document/problem-store.ts";
import type { RunStore, RunStoreState } from "../run/run-store.ts";

/** Everything that the panels of one open workflow share. */
export interface Editor {
  workflowId: string;
  /** The workflow is shown as it was and cannot be changed; absent where it can. */
  readOnly?: true;
  registry: NodeRegistry;
  document: DocumentStore;
  canvas: CanvasStore;
  runs: RunStore;
  approvals: ApprovalStore;
  breakpoints: BreakpointStore;
  pauses: PauseStore;
  problems: ProblemStore;
  autosave: Autosave;
  /** What commands work on: the stores above, and the way to tell the person something. */
  context: CommandContext;
  /** What buttons, menu and keyboard offer here, the page's own commands included. */
  commands: readonly Command[];
}

const EditorContext = createContext<Editor | null>(null);

/** Hands one open workflow to the panels below. `editor` must stay the same object while the workflow is open. */
export function EditorProvider({ editor, children }: { editor: Editor; children: ReactNode }) {
  return <EditorContext value={editor}>{children}</EditorContext>;
}

/** The stores themselves, for callbacks; use the selector hooks to read what is rendered. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (editor === null) throw new Error("useEditor needs an EditorProvider above it.");
  return editor;
}

/** Reads the open document's store. The selector must return a stable value: a primitive or a part of the state. */
export function useDocumentStore<Value>(selector: (state: DocumentState) => Value): Value {
  return useStore(useEditor().document, selector);
}

/** Reads what the canvas shows: selection, zoom level, open lists. */
export function useCanvasStore<Value>(selector: (state: CanvasState) => Value): Value {
  return useStore(useEditor().canvas, selector);
}

/** Reads the runs of this workflow. */
export function useRunStore<Value>(selector: (state: RunStoreState) => Value): Value {
  return useStore(useEditor().runs, selector);
}

/** Reads what is wrong with the workflow. */
export function useProblemStore<Value>(selector: (state: ProblemState) => Value): Value {
  return useStore(useEditor().problems, selector);
}

/** Reads the tool calls that wait for a person. */
export function useApprovalStore<Value>(selector: (state: ApprovalStoreState) => Value): Value {
  return useStore(useEditor().approvals, selector);
}

/** Reads where runs are held in this browser. */
export function useBreakpointStore<Value>(selector: (state: BreakpointState) => Value): Value {
  return useStore(useEditor().breakpoints, selector);
}

/** Reads what is held and waits for a person. */
export function usePauseStore<Value>(selector: (state: PauseState) => Value): Value {
  return useStore(useEditor().pauses, selector);
}

export { useServices } from "../../services/services-context.tsx";
