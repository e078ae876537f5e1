import { RunError } from "../errors.ts";
import type { Json } from "../json.ts";
import { type FileValue, fileIdIn, fileIdsIn } from "./file.ts";
import { fileName, mediaTypeOf } from "./file-name.ts";
import type { FileBytes, FileStore } from "./file-store.ts";
import { readBytes } from "./read-bytes.ts";
import { sizeText } from "./size-text.ts";

/** Files that a run received or made, by id. */
export type KnownFiles = Map<string, FileValue>;

interface RunFilesOptions {
  /** Shared by all nodes of the run. */
  known: KnownFiles;
  /** Undefined where the host keeps no files. */
  store: FileStore | undefined;
  signal: AbortSignal;
  /** Told of each file that the run makes. */
  onAdd(file: FileValue): void;
  /** Told of each file whose bytes are asked for by what does not mark them itself: somebody else may have written it. */
  onOpen(file: FileValue): void;
}

/** How a file is opened. */
export interface OpenOptions {
  /** That of the node when absent; a tool passes that of its call. */
  signal?: AbortSignal;
  /** Whoever opens it marks what is made of it, and knows better than the run where the file came from. */
  isMarked?: boolean;
}

/** How a file is stored. */
interface CreateOptions extends Pick<OpenOptions, "signal"> {
  /** Tells the log of the file in place of the node; what it throws keeps the file from being one of the run. */
  tell?(file: FileValue): void;
}

/**
 * The files of one run, as its nodes see them. A value is a file only if this run received or made its id; whatever else looks
 * like one came from a caller, a server, a model, code or an import and is plain data. What a file is called and what type it has is
 * taken from here, never from the value. Methods throw a RunError that says what to do.
 */
export class RunFiles {
  private readonly options: RunFilesOptions;

  constructor(options: RunFilesOptions) {
    this.options = options;
  }

  /** Whether `create` has a place for files. */
  get canKeep(): boolean {
    return this.options.store !== undefined;
  }

  /** The file that a value is, or undefined for plain data. */
  find(value: Json | undefined): FileValue | undefined {
    const id = fileIdIn(value);
    return id === undefined ? undefined : this.options.known.get(id);
  }

  /** The files that a value is or holds, at any depth, each once. */
  findAll(value: Json | undefined): FileValue[] {
    return fileIdsIn(value).flatMap((id) => this.options.known.get(id) ?? []);
  }

  /** The file that a value is. Throws for plain data. */
  get(value: Json | undefined): FileValue {
    const file = this.find(value);
    if (file) return file;
    throw new RunError(
      fileIdIn(value) === undefined
        ? {
            code: "invalid_config",
            message: "This is not a file.",
            hint: "Insert the file itself, such as {{json.body}} after an HTTP request that answers with one.",
          }
        : {
            code: "invalid_config",
            message: "This looks like a file, but this run neither received nor made it.",
            hint: "Use a file that a trigger or an earlier step of this run gives. The id of a file in a text, an answer of a server or a model, or an import gives no access to it.",
          },
    );
  }

  /** The bytes of a file as they arrive. Throws for plain data. */
  async open(value: Json | undefined, { signal = this.options.signal, isMarked = false }: OpenOptions = {}) {
    const file = this.get(value);
    if (!isMarked) this.options.onOpen(file);
    const opened = await this.store().open(file.$file, { signal });
    if (!opened.ok) throw new RunError(opened.error);
    return opened.value;
  }

  /** The bytes of a file, at most `maxBytes`. Throws for plain data and for a larger file, which it does not read. */
  async read(value: Json | undefined, { maxBytes, ...options }: OpenOptions & { maxBytes: number }) {
    const file = this.get(value);
    if (file.size > maxBytes) throw tooLarge(file, maxBytes);
    const bytes = await readBytes(await this.open(value, options), maxBytes);
    if (bytes === undefined) throw tooLarge(file, maxBytes);
    return bytes;
  }

  /** Stores bytes as a file of this run. */
  async create(
    name: string,
    mediaType: string,
    bytes: FileBytes,
    { signal = this.options.signal, tell }: CreateOptions = {},
  ) {
    const file = { name: fileName(name), mediaType: mediaTypeOf(mediaType), bytes };
    const created = await this.store().create(file, { signal });
    if (!created.ok) throw new RunError(created.error);
    if (!tell) return this.add(created.value);
    tell(created.value);
    this.options.known.set(created.value.$file, created.value);
    return created.value;
  }

  /** Takes a file that the host stored for this run. Only for what the studio itself says, never for values of others. */
  add(file: FileValue): FileValue {
    this.options.known.set(file.$file, file);
    this.options.onAdd(file);
    return file;
  }

  private store(): FileStore {
    const { store } = this.options;
    if (store) return store;
    const message = "Files cannot be kept here.";
    throw new RunError({ code: "invalid_config", message, hint: "Run the workflow in the studio." });
  }
}

function tooLarge({ name, size }: FileValue, maxBytes: number): RunError {
  return new RunError({
    code: "invalid_config",
    message: `"${name}" has ${sizeText(size)}; at most ${sizeText(maxBytes)} can be read here.`,
    hint: "Use a smaller file, or one part of it.",
  });
}
