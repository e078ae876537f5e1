import type { FileValue } from "../file/file.ts";
import type { RunEventBody } from "../run/events.ts";
import { noTaint, type Taint } from "../trust/taint.ts";

/** A file under its name in a workspace. */
export interface WorkspaceFile {
  path: string;
  file: FileValue;
  /** Counts from 1: each write under this name makes the next one. */
  version: number;
  /** Where untrusted content in it came from. */
  untrusted: Taint;
}

/**
 * The workspaces of a run, and of the runs inside it. What is in them follows from the events `file-add` alone, served ones
 * included, so that a replay and a resumed run find what was written without anything being written again.
 */
export class Workspaces {
  private readonly all = new Map<string, Map<string, WorkspaceFile>>();

  /** The files of the workspace `nodeId` of a run by their paths. */
  of(runId: string, nodeId: string): ReadonlyMap<string, WorkspaceFile> {
    return this.all.get(keyOf(runId, nodeId)) ?? new Map();
  }

  /**
   * Takes an event of a run; those that write nothing into a workspace change nothing. Calls that ran side by side may be served in
   * another order, so that the version counts.
   */
  take(runId: string, event: RunEventBody): void {
    if (event.type !== "file-add" || event.workspace === undefined) return;
    const { nodeId, file, workspace, untrusted = noTaint } = event;
    const key = keyOf(runId, nodeId);
    const files = this.all.get(key) ?? new Map<string, WorkspaceFile>();
    if ((files.get(workspace.path)?.version ?? 0) > workspace.version) return;
    files.set(workspace.path, { ...workspace, file, untrusted });
    this.all.set(key, files);
  }
}

function keyOf(runId: string, nodeId: string): string {
  return `${runId}\n${nodeId}`;
}
