import { createStore, type StoreApi } from "zustand/vanilla";
import type { WorkflowRepository } from "../../../services/services.ts";
import { maxFiles, workflowFiles } from "./dropped-files.ts";
import type { StoreFile } from "../../../engine/file/sent-file.ts";
import type { OwnThings } from "./read-import.ts";
import { type ReadFile, readFile, type TakenImports, takeImports } from "./take-imports.ts";

interface ImportListState {
  files: readonly ReadFile[];
  /** Files that were left out. */
  others: number;
  work: { kind: "idle" } | { kind: "reading" | "storing"; done: number; all: number };
}

/**
 * What was read and is to be imported. Whatever is given joins one list, and one thing is done after the other: files that
 * are dropped while others are read or stored wait for that.
 */
export interface ImportList {
  store: StoreApi<ImportListState>;
  /** Reads files into the list; gives how many may hold a workflow. Rejects where the files or `account` cannot be read. */
  read(given: Promise<readonly File[]>): Promise<number>;
  /** Stores all that the list has. What was not stored stays and can be tried again. */
  importAll(): Promise<TakenImports>;
  clear(): void;
  /** Ends what is under way, and what waits for it; keeps what was read. */
  stop(): void;
}

export function createImportList(outside: {
  workflows: Pick<WorkflowRepository, "create">;
  storeFile: StoreFile;
  account: () => Promise<{ own: OwnThings; names: readonly string[] }>;
  newId: () => string;
}): ImportList {
  const store = createStore<ImportListState>()(() => ({ files: [], others: 0, work: { kind: "idle" } }));
  let stopping = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  const made: string[] = [];

  /** Does it after all that was begun before. */
  function inTurn<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const { signal } = stopping;
    const turn = last.then(async () => {
      try {
        return await work(signal);
      } finally {
        store.setState({ work: { kind: "idle" } });
      }
    });
    last = turn.catch(() => undefined);
    return turn;
  }

  async function readInTurn(given: readonly File[], signal: AbortSignal): Promise<number> {
    const { own } = await outside.account();
    const { files, others } = workflowFiles(given);
    const wanted = files.slice(0, maxFiles);
    const left = others + files.length - wanted.length;
    store.setState((state) => ({ others: state.others + left }));
    const results: ReadFile[] = [];
    for (const [done, file] of wanted.entries()) {
      if (signal.aborted) break;
      store.setState({ work: { kind: "reading", done, all: wanted.length } });
      results.push(await readFile(file, own, outside.newId));
      // The page stays usable between large files.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    store.setState((state) => ({ files: [...state.files, ...results] }));
    return wanted.length;
  }

  return {
    store,

    read(given) {
      // A failure is told in its turn, until which nobody listens.
      given.catch(() => undefined);
      return inTurn(async (signal) => readInTurn(await given, signal));
    },

    importAll: () =>
      inTurn(async (signal) => {
        const findings = store.getState().files.flatMap((file) => file.workflows);
        const { names } = await outside.account();
        const onProgress = (done: number) => store.setState({ work: { kind: "storing", done, all: findings.length } });
        onProgress(0);
        const taken = await takeImports(outside.workflows, findings, {
          store: outside.storeFile,
          names: [...names, ...made],
          newId: outside.newId,
          signal,
          onProgress,
        });
        made.push(...taken.made.map(({ name }) => name));
        const remaining = new Set(taken.left);
        store.setState(({ files }) => ({
          others: 0,
          files: files.flatMap((file) => {
            const rest = file.workflows.filter(({ document }) => remaining.has(document));
            return rest.length > 0 ? [{ ...file, workflows: rest }] : [];
          }),
        }));
        return taken;
      }),

    clear: () => store.setState({ files: [], others: 0 }),

    stop() {
      stopping.abort();
      stopping = new AbortController();
    },
  };
}
