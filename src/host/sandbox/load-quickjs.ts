import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule, RELEASE_SYNC } from "quickjs-emscripten";

const pageBytes = 64 * 1024;
/** What QuickJS starts with: its own data and stack take the smaller part. */
const firstPages = 256;

/**
 * A QuickJS of its own: its memory is shared with no other run and thrown away after one. The memory itself cannot grow by more
 * than `memoryBytes`, because QuickJS's own limit counts allocations here and not their size (`malloc_usable_size` is 0 under
 * Emscripten). With `compiled`, its WebAssembly code, it stands five times sooner.
 */
export function loadQuickJs(memoryBytes: number, compiled?: WebAssembly.Module): Promise<QuickJSWASMModule> {
  const maximum = firstPages + Math.ceil(memoryBytes / pageBytes);
  const wasmMemory = new WebAssembly.Memory({ initial: firstPages, maximum });
  return newQuickJSWASMModuleFromVariant(
    newVariant(RELEASE_SYNC, { wasmMemory, ...(compiled ? { wasmModule: compiled } : {}) }),
  );
}

/** Bytes by which the memory of a module has grown. */
export function grownBytes(module: QuickJSWASMModule): number {
  return module.getWasmMemory().buffer.byteLength - firstPages * pageBytes;
}
