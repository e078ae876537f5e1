import {
  newQuickJSWASMModule,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSWASMModule,
  RELEASE_SYNC,
} from "quickjs-emscripten";

/**
 * A QuickJS of its own: its memory is shared with no other run and thrown away after one. With `compiled`, its
 * WebAssembly code, it stands five times sooner.
 */
export function loadQuickJs(compiled?: WebAssembly.Module): Promise<QuickJSWASMModule> {
  if (!compiled) return newQuickJSWASMModule(RELEASE_SYNC);
  return newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmModule: compiled }));
}
