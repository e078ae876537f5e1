import { RunError, type RunErrorCode, type RunErrorData } from "../../engine/errors.ts";
import { cancelledError } from "../wire/cancelled-error.ts";

interface Verdict {
  code: RunErrorCode;
  happened: string;
  hint: string;
  retryable: boolean;
}

const otherModel = "or choose another model node.";

/** What the names of the Prompt API's exceptions mean (webmachinelearning.github.io/prompt-api, "Errors"). */
const verdicts: Readonly<Record<string, Verdict>> = {
  NotAllowedError: {
    code: "invalid_config",
    happened: "did not let this page use its language model",
    hint: "If the model is not downloaded yet, open its node and choose Download. Otherwise allow built-in AI in the browser's settings, or choose another model node.",
    retryable: false,
  },
  NotSupportedError: {
    code: "invalid_config",
    happened: "cannot do this with its language model",
    hint: `Check the language on the model node and the JSON Schema of the agent, ${otherModel}`,
    retryable: false,
  },
  QuotaExceededError: {
    code: "context_length",
    happened: "says that the conversation is too long for its language model",
    hint: "Let the memory keep fewer messages, shorten the prompt, or choose a model with a longer context.",
    retryable: false,
  },
  NotReadableError: {
    code: "content_filter",
    happened: "withheld the answer of its language model",
    hint: "Rephrase the message or the system prompt, or choose another model.",
    retryable: false,
  },
  NetworkError: {
    code: "model_error",
    happened: "could not download its language model",
    hint: "Check the network and the free disk space, then try again.",
    retryable: true,
  },
  InvalidStateError: {
    code: "model_error",
    happened: "closed its language model",
    hint: "Keep the tab open and in front, then try again.",
    retryable: true,
  },
};

const unwell: Verdict = {
  code: "model_error",
  happened: "failed to answer with its language model",
  hint: `Try again, restart the browser, ${otherModel}`,
  retryable: true,
};

/** Maps whatever the browser's model rejected with. */
export function mapBrowserError(error: unknown, signal: AbortSignal): RunErrorData {
  if (signal.aborted) return cancelledError();
  if (error instanceof RunError) return error.data;
  const name = error instanceof Error ? error.name : "";
  const words = error instanceof Error ? error.message : String(error);
  const { code, happened, hint, retryable } = Object.hasOwn(verdicts, name) ? (verdicts[name] ?? unwell) : unwell;
  return { code, message: `The browser ${happened}: ${words}`, hint, retryable, cause: { name, message: words } };
}
