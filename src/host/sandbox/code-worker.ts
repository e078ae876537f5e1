import quickJsUrl from "@jitl/quickjs-wasmfile-release-sync/wasm?url";
import type { CodeRequest } from "../../engine/host.ts";
import { serveRequests } from "../thread/serve-requests.ts";
import { loadQuickJs } from "./load-quickjs.ts";
import { runCode } from "./run-code.ts";

async function compileQuickJs(): Promise<WebAssembly.Module> {
  const response = await fetch(quickJsUrl);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Runs each request in a QuickJS of its own. What fails here fails the worker, as the page sees it. */
compileQuickJs().then(
  (compiled) =>
    serveRequests(
      (request: CodeRequest, module) => runCode(module, request),
      ({ memoryBytes }: CodeRequest) => loadQuickJs(memoryBytes, compiled),
    ),
  reportError,
);
