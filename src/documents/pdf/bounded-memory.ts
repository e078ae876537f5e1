/*
 * pdf.js unpacks whatever a file holds, a gigabyte of a megabyte among it, and a worker that runs out of memory takes its
 * page with it. Its two ways to memory are counted here. It takes the error for a damaged part and goes on, so `onTooMuch` and
 * `isOver` tell of it as well.
 */

/** Bytes of all that a file is unpacked to; its text is a tenth of that at most. */
const maxUnpacked = 1024 * 1024 * 1024;
/** Bytes of an array that counts: smaller ones are made and dropped all the time. */
const largeArray = 1024 * 1024;

export interface MemoryBound {
  /** Whether there was too much. */
  isOver(): boolean;
  end(): void;
}

/** Bounds what is unpacked in this thread from now on. */
export function boundedMemory(onTooMuch: () => void = () => undefined): MemoryBound {
  const { Uint8Array: Bytes, DecompressionStream: Unpacking } = globalThis;
  let unpacked = 0;
  const isOver = () => unpacked > maxUnpacked;
  const count = (bytes: number) => {
    unpacked += bytes;
    if (!isOver()) return;
    onTooMuch();
    throw new RangeError("The file unpacks to too much.");
  };

  globalThis.Uint8Array = new Proxy(Bytes, {
    construct(target, parts: unknown[], made) {
      const [length] = parts;
      if (typeof length === "number" && length >= largeArray) count(length);
      return Reflect.construct(target, parts, made);
    },
  });
  globalThis.DecompressionStream = new Proxy(Unpacking, {
    construct(target, [format]: [CompressionFormat]) {
      const { readable, writable } = new target(format);
      const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, passed) {
          count(chunk.byteLength);
          passed.enqueue(chunk);
        },
      });
      return { writable, readable: readable.pipeThrough(counted) };
    },
  });
  return {
    isOver,
    end() {
      globalThis.Uint8Array = Bytes;
      globalThis.DecompressionStream = Unpacking;
    },
  };
}
