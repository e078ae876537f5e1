import { newQuickJSWASMModule, RELEASE_SYNC, type QuickJSWASMModule } from "quickjs-emscripten";

/** A QuickJS of its own: its memory is shared with no other run and thrown away after one. */
export function loadQuickJs(): Promise<QuickJSWASMModule> {
  return newQuickJSWASMModule(RELEASE_SYNC);
}
