import type { QuickJSContext, QuickJSDeferredPromise, QuickJSHandle, QuickJSWASMModule } from "quickjs-emscripten";
import { mediaTypeOfName } from "../../documents/media-types.ts";
import type { CodeFile, CodeRequest, MadeFile } from "../../engine/host.ts";
import { outOfMemory } from "./code-outcome.ts";
import { grownBytes } from "./load-quickjs.ts";

/** Files that code may make, and their bytes together. */
const maxMade = 500;
const mostBytes = 100 * 1024 * 1024;

/** What the memory of a module cannot be filled with to the last byte. */
const reserve = (memoryBytes: number) => 1024 * 1024 + memoryBytes / 10;

/** What code in the sandbox is given of files, and what it made. */
export interface FileBridge {
  /** `readFile`, `makeFile` and `startWork` for the prelude. */
  functions: QuickJSHandle[];
  made: readonly MadeFile[];
  /** Does the work that was asked for first, and gives it to the code; undefined while there is none. */
  next(): Promise<void> | undefined;
}

/** Work that waits until the code itself has nothing to do, and for the work before it. */
interface WaitingWork {
  task: string;
  contents: readonly Uint8Array[];
  promise: QuickJSDeferredPromise;
}

/**
 * Files by functions that know bytes alone. What goes into the sandbox is measured first: QuickJS writes where it likes if there is no
 * room.
 */
export function createFileBridge(
  context: QuickJSContext,
  module: QuickJSWASMModule,
  { files, memoryBytes }: Pick<CodeRequest, "files" | "memoryBytes">,
): FileBridge {
  const known = new Map<string, CodeFile>(files?.map((file) => [file.id, file]));
  const made: MadeFile[] = [];
  const waiting: WaitingWork[] = [];
  let waitingBytes = 0;
  let size = 0;

  function checkRoom(bytes: number): void {
    if (bytes > memoryBytes - grownBytes(module) - reserve(memoryBytes)) throw new Error(outOfMemory);
  }

  function bufferHandle(bytes: Uint8Array): QuickJSHandle {
    checkRoom(bytes.length);
    return context.newArrayBuffer(new Uint8Array(bytes).buffer);
  }

  function bytesOf(handle: QuickJSHandle): Uint8Array<ArrayBuffer> {
    const lifetime = context.getArrayBuffer(handle);
    const bytes = new Uint8Array(lifetime.value);
    lifetime.dispose();
    return bytes;
  }

  const readFile = context.newFunction("readFile", (idHandle) => {
    const file = known.get(context.getString(idHandle));
    if (file === undefined) return context.newString(notThere);
    return "bytes" in file ? bufferHandle(file.bytes) : context.newString(file.problem);
  });

  const makeFile = context.newFunction("makeFile", (nameHandle, typeHandle, contentHandle) => {
    const answer = (value: object | string) => context.newString(JSON.stringify(value));
    if (!files) return answer("Files cannot be made here.");
    const bytes = bytesOf(contentHandle);
    size += bytes.length;
    if (made.length >= maxMade) return answer(`Code makes at most ${maxMade} files.`);
    if (size > mostBytes)
      return answer(`The files that code makes have at most ${mostBytes / 1024 / 1024} MB together.`);
    const name = context.getString(nameHandle);
    const mediaType = context.getString(typeHandle) || mediaTypeOfName(name);
    const id = `made-${made.length + 1}`;
    made.push({ id, name, mediaType, bytes });
    known.set(id, { id, name, bytes });
    return answer({ $file: id, name, mediaType, size: bytes.length });
  });

  const startWork = context.newFunction("startWork", (taskHandle, ...contentHandles) => {
    const contents = contentHandles.map(bytesOf);
    waitingBytes += contents.reduce((sum, bytes) => sum + bytes.length, 0);
    if (waitingBytes > mostBytes || waiting.length >= maxMade) throw new Error(tooMuchAtOnce);
    const promise = context.newPromise();
    waiting.push({ task: context.getString(taskHandle), contents, promise });
    return promise.handle;
  });

  async function work({ task, contents, promise }: WaitingWork): Promise<void> {
    const { workOnFiles } = await import("./file-work.ts");
    const { answer, buffers } = await workOnFiles(task, contents);
    waitingBytes -= contents.reduce((sum, bytes) => sum + bytes.length, 0);
    const text = JSON.stringify(answer);
    checkRoom(text.length * 2 + buffers.reduce((sum, bytes) => sum + bytes.length, 0));
    const result = context.newObject();
    context.setProp(result, "text", context.newString(text));
    const list = context.newArray();
    for (const [index, bytes] of buffers.entries()) context.setProp(list, index, bufferHandle(bytes));
    context.setProp(result, "buffers", list);
    promise.resolve(result);
  }

  return {
    functions: [readFile, makeFile, startWork],
    made,
    next() {
      const first = waiting.shift();
      return first && work(first);
    },
  };
}

const notThere =
  "This is not a file of this run. Use a file that the step's data or inputs hold; its id alone gives no access to it.";

const tooMuchAtOnce = "Too many file operations at once. Await the earlier ones first.";
