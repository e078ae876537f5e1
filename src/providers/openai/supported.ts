import type { FileKind, ModelRequest } from "../../engine/model/chat-model.ts";
import { warning, type Warning } from "../wire/warning.ts";
import type { ModelTraits } from "./model-traits.ts";
import { openaiDefaults, type OpenaiSettings } from "./openai-settings.ts";

/** Which settings a call may carry, and what is said about those that it may not. */
interface Supported {
  sampling: boolean;
  stop: boolean;
  seed: boolean;
  effort: boolean;
  tools: boolean;
  images: boolean;
  files: readonly FileKind[];
  verbosity: boolean;
  webSearch: boolean;
  imageGeneration: boolean;
  warnings: Warning[];
}

/** Holds the node's settings against what the model and the API take. Never silent about a setting that someone chose. */
export function supported(
  settings: OpenaiSettings,
  traits: ModelTraits,
  request: ModelRequest,
  api: "chat" | "responses",
): Supported {
  const warnings: Warning[] = [];
  const leaveOut = (what: string) =>
    warnings.push(
      warning(
        `${settings.model} does not take ${what}; it was left out.`,
        `Clear ${what} on the model node, or choose another model.`,
      ),
    );
  const sampling = !traits.fixedSampling || settings.reasoningEffort === "none";
  if (!sampling) {
    const { temperature } = settings;
    if (temperature !== null && temperature !== openaiDefaults.temperature) leaveOut("temperature");
    if (settings.topP !== openaiDefaults.topP) leaveOut("top P");
  }
  const penalties = sampling && api === "chat";
  if (!penalties && settings.frequencyPenalty !== 0) leaveOut("frequency penalty");
  if (!penalties && settings.presencePenalty !== 0) leaveOut("presence penalty");
  const stop = !traits.fixedSampling && api === "chat";
  if (!stop && settings.stop.length > 0) leaveOut("stop sequences");
  const seed = api === "chat";
  if (!seed && settings.seed !== undefined) leaveOut("a seed");
  if (!traits.reasoning && settings.reasoningEffort !== "default") leaveOut("reasoning effort");
  const { verbosity = "default", webSearch = false, imageGeneration = false } = settings.own ?? {};
  if (!traits.verbosity && verbosity !== "default") leaveOut("a verbosity");
  const onlyResponses = [...(webSearch ? ["Web search"] : []), ...(imageGeneration ? ["Image generation"] : [])];
  for (const what of api === "chat" ? onlyResponses : []) {
    warnings.push(
      warning(
        `${what} needs the Responses API; it was left out.`,
        "Set the API of the model node to auto or Responses, and choose a model that has it.",
      ),
    );
  }
  if (!traits.tools && request.tools.length > 0) {
    warnings.push(
      warning(`${settings.model} cannot call tools; it was not told of them.`, "Choose a model with tool calling."),
    );
  }
  const images = request.messages.some(
    (message) => message.role === "user" && message.parts.some((part) => part.type === "image"),
  );
  if (!traits.vision && images) {
    warnings.push(warning(`${settings.model} cannot see images; they were left out.`, "Choose a model with vision."));
  }
  return {
    sampling,
    stop,
    seed,
    effort: traits.reasoning && settings.reasoningEffort !== "default",
    tools: traits.tools && request.tools.length > 0,
    images: traits.vision,
    files: traits.files ?? [],
    verbosity: traits.verbosity && verbosity !== "default",
    webSearch: webSearch && api === "responses" && traits.tools,
    imageGeneration: imageGeneration && api === "responses" && traits.tools,
    warnings,
  };
}
