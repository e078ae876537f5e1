import type { Host } from "../../engine/host.ts";
import type { BrowserModel, BrowserModelState } from "../../engine/model/browser-model.ts";
import type { ModelEvent, ModelRequest, Usage } from "../../engine/model/chat-model.ts";
import { RunError } from "../../engine/errors.ts";
import type { VendorAdapter } from "../wire/vendor-chat-model.ts";
import { warning, type Warning } from "../wire/warning.ts";
import { mapBrowserError } from "./map-error.ts";
import { openWithProgress } from "./open-with-progress.ts";
import { sessionSettings, type BrowserSettings } from "./browser-settings.ts";
import { toPrompt, type BrowserPrompt } from "./to-prompt.ts";

/** Speaks to the language model of the browser, one session per call. */
export function browserAdapter(settings: BrowserSettings, host: Host): VendorAdapter {
  return {
    async prepare(request) {
      const browser = await findModel(host);
      const prompt = toPrompt(request.messages);
      return {
        warnings: unsupported(request, prompt, settings, browser),
        start: () => Promise.resolve(answer(browser, settings, request, prompt)),
      };
    },
    mapError: (error, { signal }) => mapBrowserError(error, signal),
  };
}

async function findModel(host: Host): Promise<BrowserModel> {
  if (host.browserModel) return await host.browserModel();
  throw new RunError({
    code: "invalid_config",
    message: "No browser runs this workflow, so there is no model built into one.",
    hint: "Run it in the studio, in a browser that has a language model, or choose another model node.",
  });
}

function unsupported(
  { tools }: ModelRequest,
  { leftOutImages }: BrowserPrompt,
  { temperature, topK }: BrowserSettings,
  { hasSampling }: BrowserModel,
): Warning[] {
  const warnings: Warning[] = [];
  if (tools.length > 0)
    warnings.push(warning("The browser's model cannot call tools; none were offered.", "Choose a model with tools."));
  if (leftOutImages)
    warnings.push(warning("Images were left out for the browser's model.", "Choose a model with vision."));
  if (!hasSampling && (temperature !== null || topK !== null))
    warnings.push(
      warning(
        "This browser lets no page choose temperature or top K; they were left out.",
        "Empty both on the model node, or choose another model.",
      ),
    );
  if (hasSampling && (temperature === null) !== (topK === null))
    warnings.push(
      warning("Temperature and top K count only together; both were left out.", "Fill in the other one as well."),
    );
  return warnings;
}

async function* answer(
  browser: BrowserModel,
  settings: BrowserSettings,
  request: ModelRequest,
  { messages, prompt }: BrowserPrompt,
): AsyncGenerator<ModelEvent> {
  const { signal, responseFormat } = request;
  const own = sessionSettings(settings, browser.hasSampling);
  const state = await browser.state(own);
  refuse(state, settings.language);
  const session = yield* openWithProgress(browser, { ...own, messages, signal }, state);
  try {
    const before = session.tokens();
    const asked = before === undefined ? undefined : await session.measure(prompt);
    const schema = responseFormat.type === "json" ? (responseFormat.schema ?? { type: "object" }) : undefined;
    let text = "";
    for await (const piece of session.prompt(prompt, { signal, ...(schema ? { schema } : {}) })) {
      text += piece;
      if (settings.streaming) yield { type: "text-delta", text: piece };
    }
    if (!settings.streaming && text !== "") yield { type: "text-delta", text };
    const usage = countTokens(before, asked, session.tokens());
    yield {
      type: "finish",
      message: { role: "assistant", parts: text === "" ? [] : [{ type: "text", text }] },
      finishReason: "stop",
      ...(usage ? { usage } : {}),
    };
  } finally {
    session.close();
  }
}

function countTokens(before?: number, asked?: number, after?: number): Usage | undefined {
  if (before === undefined || asked === undefined || after === undefined) return undefined;
  const inputTokens = before + asked;
  return { inputTokens, outputTokens: Math.max(0, after - inputTokens) };
}

/** Throws a RunError where there is no model to speak to. */
function refuse(state: BrowserModelState, language: string): void {
  switch (state) {
    case "missing":
      throw new RunError({
        code: "invalid_config",
        message: "This browser has no built-in language model.",
        hint: "Open the studio in a desktop browser that has one, such as a current Chrome or Edge, or choose another model node.",
      });
    case "unavailable":
      throw new RunError({
        code: "invalid_config",
        message: `This browser cannot use its language model${language === "" ? "" : ` for the language "${language}"`} on this device.`,
        hint: "It needs enough memory and free disk space, built-in AI allowed in the browser's settings, and a language that it knows. Or choose another model node.",
      });
    case "downloadable":
    case "downloading":
    case "available":
      return;
    default:
      state satisfies never;
  }
}
