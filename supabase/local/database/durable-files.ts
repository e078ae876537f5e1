import { fsyncSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { syncPath } from "./synced-files.ts";

type Init = NodeFS["init"];

/** What is used here of Emscripten's file system on top of Node's. */
interface EmscriptenNode {
  name: string;
}

interface EmscriptenFiles {
  lookupNode(parent: EmscriptenNode, name: string): EmscriptenNode;
  hashRemoveNode(node: EmscriptenNode): void;
  filesystems: {
    NODEFS: {
      realPath(node: EmscriptenNode): string;
      tryFSOperation<Result>(operation: () => Result): Result;
      stream_ops: { fsync?: (stream: { nfd?: number; node: EmscriptenNode }) => number };
      node_ops: { rename: (node: EmscriptenNode, directory: EmscriptenNode, name: string) => void };
    };
  };
}

/**
 * PGlite's file system on Node, which by itself writes nothing through to the disk: its fsync does nothing, for files as for
 * directories, and before it renames a file it deletes the one that it replaces.
 */
export class DurableFiles extends NodeFS {
  override async init(pg: PGlite, options: Parameters<Init>[1]): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(pg, options);
    const { preRun = [] } = emscriptenOpts;
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRun, (module) => makeDurable(filesOf(module.FS))] } };
  }
}

/** Its type declarations leave out what is needed. */
function filesOf(files: unknown): EmscriptenFiles {
  const found = files as EmscriptenFiles;
  const { stream_ops: streams, node_ops: nodes } = found.filesystems.NODEFS;
  if (typeof nodes.rename !== "function" || typeof streams !== "object") {
    throw new Error("This version of PGlite keeps its files in another way: review how they reach the disk.");
  }
  return found;
}

function makeDurable(files: EmscriptenFiles): void {
  const { NODEFS } = files.filesystems;
  NODEFS.stream_ops.fsync = (stream) =>
    NODEFS.tryFSOperation(() => {
      // A directory has no descriptor of Node's.
      if (stream.nfd === undefined) syncPath(NODEFS.realPath(stream.node));
      else fsyncSync(stream.nfd);
      return 0;
    });
  NODEFS.node_ops.rename = (node, directory, name) => {
    const replaced = found(() => files.lookupNode(directory, name));
    const to = join(NODEFS.realPath(directory), name);
    NODEFS.tryFSOperation(() => renameSync(NODEFS.realPath(node), to));
    if (replaced) files.hashRemoveNode(replaced);
    node.name = name;
  };
}

function found<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
