import type { TranscriptionProvider } from "../../engine/model/provider.ts";

/** Transcription over OpenAI's API; the code is loaded with the first recording. */
export function openaiTranscription(
  options: { provider: string; vendor: string } & Pick<TranscriptionProvider, "suggestedModels" | "perMinuteUsd">,
): TranscriptionProvider {
  const { provider, vendor, suggestedModels, perMinuteUsd } = options;
  return {
    suggestedModels,
    perMinuteUsd,
    async transcribe(request, context) {
      const { transcribe } = await import("./transcribe.ts");
      return await transcribe({ provider, vendor, context }, request);
    },
  };
}
