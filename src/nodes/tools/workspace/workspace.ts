import type { RunContext } from "../../../engine/document/define-node.ts";
import { RunError } from "../../../engine/errors.ts";
import type { NamedBytes } from "../../../engine/file/documents.ts";
import type { FileValue } from "../../../engine/file/file.ts";
import { sizeText } from "../../../engine/file/size-text.ts";
import { createMask, tooLongToMask } from "../../../engine/run/privacy/mask-text.ts";
import type { ToolCallContext } from "../../../engine/tool/tool.ts";
import { joinTaint, type Taint, untrustedField } from "../../../engine/trust/taint.ts";
import { freePath, pathClash, readWorkspacePath } from "../../../engine/workspace/workspace-path.ts";
import type { TextFile } from "../../../engine/workspace/result-shape.ts";
import type { WorkspaceFile } from "../../../engine/workspace/workspaces.ts";
import { maskJsonText } from "./mask-json-text.ts";
import { nearNames } from "./near-names.ts";

/** The most files of one workspace. */
export const maxWorkspaceFiles = 10_000;

/** Bytes of a file that is read whole. */
const maxReadBytes = 50 * 1024 * 1024;

/** Characters of files that stay in memory once they are read or written. */
const maxCached = 20_000_000;

/** So many names stand in the message for a model that named no file. */
const maxNamed = 20;

type Context = Pick<RunContext<unknown, unknown>, "files" | "run" | "node" | "workflow" | "host" | "emitWithin">;

/** What of a tool call a file is written for. */
export type WriteCall = Pick<ToolCallContext, "callId" | "signal" | "untrusted">;

/** What is written: under which name, and which version of it is replaced; any if `replaces` is absent. */
interface Written {
  path: string;
  text: string;
  mediaType: string;
  replaces?: number | undefined;
}

/**
 * A workspace as the tools of one agent see it. Its files are files of the run. Methods throw a RunError whose words are for the
 * model.
 */
export class Workspace {
  private readonly context: Context;
  private readonly mask: (text: string) => string;
  private readonly texts = new Map<string, string>();
  private cached = 0;

  constructor(context: Context) {
    this.context = context;
    const { privacy } = context.workflow;
    this.mask = privacy ? createMask(privacy) : (text) => text;
  }

  /** All files, by their paths in the order of the alphabet. */
  list(): WorkspaceFile[] {
    return [...this.files.values()].toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  /** The files in a folder, or the one file, of that path; all for an empty one. Throws where there is neither. */
  within(path: string): WorkspaceFile[] {
    const folder = path.trim().replace(/^\.?\/+|\/+$/g, "");
    if (folder === "" || folder === ".") return this.list();
    const name = this.pathOf(folder);
    const found = this.list().filter((file) => file.path === name || file.path.startsWith(`${name}/`));
    if (found.length > 0) return found;
    throw failure(`The workspace has no folder or file "${name}".`, "List all files to see what it has.");
  }

  /** Where untrusted content in any of its files came from. */
  taint(): Taint {
    return joinTaint(...[...this.files.values()].map(({ untrusted }) => untrusted));
  }

  find(path: string): WorkspaceFile {
    const name = this.pathOf(path);
    const found = this.files.get(name);
    if (found) return found;
    const known = [...this.files.keys()];
    const near = nearNames(name, known, maxNamed);
    const hint =
      known.length === 0 ? "It has no files yet." : `It has ${known.length.toLocaleString("en")}: ${near.join(", ")}.`;
    throw failure(`The workspace has no file "${name}".`, hint);
  }

  async bytes({ path, file }: WorkspaceFile, signal: AbortSignal): Promise<NamedBytes> {
    const bytes = await this.context.files.read({ ...file }, { maxBytes: maxReadBytes, signal, isMarked: true });
    return { name: path, mediaType: file.mediaType, bytes };
  }

  async text(entry: WorkspaceFile, signal: AbortSignal): Promise<string> {
    const { $file } = entry.file;
    const known = this.texts.get($file);
    if (known !== undefined) return known;
    const { bytes } = await this.bytes(entry, signal);
    const text = new TextDecoder().decode(bytes);
    this.remember($file, text);
    return text;
  }

  /** Stores a text under a path, as a new version of what is there. */
  async write({ text, mediaType, replaces, ...named }: Written, call: WriteCall): Promise<WorkspaceFile> {
    const path = this.pathOf(named.path);
    this.checkPlace(path, replaces);
    // While the bytes are on their way, another call may write.
    const kept = { text: this.masked(text), mediaType, name: path };
    return this.store(kept, call, () => ({ path, before: this.checkPlace(path, replaces) }));
  }

  /**
   * Stores a text under a name that is free, such as `results/search-3.json`; gives the file that is there where the same stem has
   * the same text.
   */
  async keep(stem: string, { text, extension, mediaType }: TextFile, call: WriteCall): Promise<WorkspaceFile> {
    const kept = this.masked(text);
    const { byteLength } = new TextEncoder().encode(kept);
    const stems = [`${stem}-`, `${stem.replaceAll("/", "-")}-`];
    for (const file of this.list()) {
      const isLike = stems.some((each) => file.path.startsWith(each)) && file.file.size === byteLength;
      const isMarked = call.untrusted.every((source) => file.untrusted.includes(source));
      if (isLike && isMarked && (await this.text(file, call.signal)) === kept) return file;
    }
    return this.store({ text: kept, mediaType, name: `${stem}.${extension}` }, call, () => {
      const path = freePath(stem, extension, this.files.keys());
      return { path, before: this.checkPlace(path, undefined) };
    });
  }

  /** Stores a text that is masked already. `place` says where the file goes once its bytes are there. */
  private async store(
    { text, mediaType, name }: { text: string; mediaType: string; name: string },
    call: WriteCall,
    place: () => { path: string; before: WorkspaceFile | undefined },
  ): Promise<WorkspaceFile> {
    const { files, emitWithin, node } = this.context;
    let written: WorkspaceFile | undefined;
    const tell = (file: FileValue) => {
      const { path, before } = place();
      const workspace = { path, version: (before?.version ?? 0) + 1 };
      const taint = untrustedField(call.untrusted);
      emitWithin(call.callId, { type: "file-add", nodeId: node.id, file, workspace, ...taint });
      written = { ...workspace, file, untrusted: call.untrusted };
    };
    const fileName = name.slice(name.lastIndexOf("/") + 1);
    const bytes = new TextEncoder().encode(text);
    const file = await files.create(fileName, mediaType, bytes, { signal: call.signal, tell });
    this.remember(file.$file, text);
    return written ?? { path: name, file, version: 1, untrusted: call.untrusted };
  }

  /** A text as it may be kept; JSON stays JSON. Throws where it would take too long to find out what to mask. */
  private masked(text: string): string {
    const mask = (part: string): string => {
      const masked = this.mask(part);
      if (masked !== tooLongToMask || masked === part) return masked;
      const message = "The text is too long to be searched for what has to be masked, so it was not kept.";
      throw failure(message, "Write it in several shorter files.");
    };
    return mask(maskJsonText(text, mask));
  }

  private get files(): ReadonlyMap<string, WorkspaceFile> {
    const { run, node } = this.context;
    return run.scope.workspaces.of(run.id, node.id);
  }

  private pathOf(text: string): string {
    const read = readWorkspacePath(this.mask(text));
    if (read.ok) return read.path;
    throw failure(read.message, "Paths are relative, such as report.md or notes/plan.md.");
  }

  private checkPlace(path: string, replaces: number | undefined): WorkspaceFile | undefined {
    const before = this.files.get(path);
    if (replaces !== undefined && before?.version !== replaces) throw changed(path, before?.version);
    if (before) return before;
    const clash = pathClash(path, this.files.keys());
    if (clash !== undefined) throw failure(clash, "Choose another name.");
    if (this.files.size >= maxWorkspaceFiles) {
      const most = maxWorkspaceFiles.toLocaleString("en");
      throw failure(`The workspace has ${most} files, and can hold no more.`, "Write into a file that is there.");
    }
    return undefined;
  }

  private remember(id: string, text: string): void {
    this.cached += text.length;
    if (this.cached > maxCached) {
      this.texts.clear();
      this.cached = text.length;
    }
    if (text.length <= maxCached) this.texts.set(id, text);
  }
}

/** The failure of a change to another version than the one that is there. */
export function changed(path: string, version: number | undefined): RunError {
  if (version === undefined) return failure(`The workspace has no file "${path}".`, "Write it first.");
  const message = `"${path}" was changed since you read it: it has version ${version} now.`;
  return failure(message, "Read it again, then make your change.");
}

/** A failure whose words are for the model. */
export function failure(message: string, hint: string): RunError {
  return new RunError({ code: "tool_error", message, hint });
}

/** What a model is told of a file. */
export function fileFacts({ path, file, version }: WorkspaceFile) {
  return { path, version, size: sizeText(file.size) };
}
