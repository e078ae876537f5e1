import type { StoreApi } from "zustand/vanilla";
import type { Problem } from "../../engine/document/validate.ts";
import type { FileValue } from "../../engine/file/file.ts";
import type { Json } from "../../engine/json.ts";
import type { ReplayOptions } from "../../engine/run/replay/replay-options.ts";
import type { RunPart } from "../../engine/run/run-part.ts";
import type { Taint } from "../../engine/trust/taint.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { DocumentStore } from "../document/document-store.ts";
import type { ProblemStore } from "../document/problem-store.ts";

/** Which part of a workflow a run takes, and what it is served from; all of it, for real, when absent. */
export interface RunStart extends RunPart {
  replay?: ReplayOptions;
  /** Where untrusted content in the input came from, such as the run that it is taken from. */
  untrusted?: Taint;
  /** Files of the account that the run is given; references in its input are files only where they stand here. */
  files?: readonly FileValue[];
  /** Another version than the open one, such as the one that an earlier run was made with. */
  document?: WorkflowDocument;
  /** Done before the run begins, which is under way meanwhile: no other can be started. Where it rejects, the run is taken back. */
  startsAfter?: () => Promise<void>;
}

/** What is going on in a session. */
interface RunProgress {
  running: boolean;
  /** The answer is complete and only being stored: the next run can be started and begins when that is done. */
  answered: boolean;
  /** Why the last start was refused; empty when it was not. */
  blocked: readonly Problem[];
}

/** How panels start and stop runs of the open workflow; what a run does is read from the run store. */
export interface RunControl extends Pick<RunProgress, "running" | "blocked"> {
  /** Changes more often than the page needs to be drawn anew. */
  progress: Pick<StoreApi<RunProgress>, "getState" | "getInitialState" | "subscribe">;
  /** Preloads what a run needs. Called when one is likely to start soon. */
  prepare(): void;
  /** Starts a run of the document as it is. Returns its id, or null when problems or a running run are in the way. */
  start(input: Json, options?: RunStart): string | null;
  /** Aborts the run and its open requests. */
  stop(): void;
  /** Dismisses the list of problems. */
  dismiss(): void;
}

/** What a run is made of: the workflow as a page has it, and what is wrong with it. */
export interface RunPage {
  document: DocumentStore;
  problems: ProblemStore;
}

/** Starts and stops the runs of one session, whichever page shows it; its store holds what buttons need to know. */
export interface Execution {
  store: StoreApi<RunProgress>;
  prepare(): void;
  start(page: RunPage, ...run: Parameters<RunControl["start"]>): ReturnType<RunControl["start"]>;
  stop(): void;
  dismiss(): void;
}
