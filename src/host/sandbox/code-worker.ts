import type { CodeRequest } from "../../engine/host.ts";
import { loadQuickJs } from "./load-quickjs.ts";
import { runCode } from "./run-code.ts";

/** Runs one request in a module of its own and answers with its CodeResult; the page ends the worker afterwards. */
addEventListener("message", async (event: MessageEvent<CodeRequest>) => {
  postMessage(runCode(await loadQuickJs(), event.data));
});
