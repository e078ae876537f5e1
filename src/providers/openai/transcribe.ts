import { z } from "zod/mini";
import { RunError, type RunErrorData } from "../../engine/errors.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import type { Transcript, TranscriptionRequest } from "../../engine/model/transcription.ts";
import { openaiSender } from "./client.ts";
import { mapOpenaiError } from "./error-shapes.ts";

/** Audio tokens of a second of input (platform.openai.com/docs/guides/realtime-costs). */
const tokensPerSecond = 10;

/** `json` and `verbose_json`; servers that only speak the API leave the rest out. */
const answerSchema = z.looseObject({
  text: z.string(),
  language: z.catch(z.optional(z.string()), undefined),
  duration: z.catch(z.optional(z.coerce.number()), undefined),
  segments: z.catch(
    z.optional(z.array(z.looseObject({ start: z.number(), end: z.number(), text: z.string() }))),
    undefined,
  ),
  usage: z.catch(
    z.optional(
      z.looseObject({
        seconds: z.optional(z.number()),
        input_tokens: z.optional(z.number()),
        output_tokens: z.optional(z.number()),
        input_token_details: z.optional(z.looseObject({ audio_tokens: z.optional(z.number()) })),
      }),
    ),
    undefined,
  ),
});

/** `/audio/transcriptions` of OpenAI, Groq and servers that speak its API. Rejects with a RunError. */
export async function transcribe(
  { provider, vendor, context }: { provider: string; vendor: string; context: ProviderContext },
  request: TranscriptionRequest,
): Promise<Transcript> {
  const { signal } = request;
  try {
    const response = await openaiSender(
      provider,
      context,
    )({
      path: "/audio/transcriptions",
      form: formOf(request),
      signal,
    });
    const answer = answerSchema.safeParse(await response.json());
    if (!answer.success) throw new RunError(unreadable(vendor));
    return transcriptOf(answer.data);
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(inWords(mapOpenaiError(error, { vendor, signal, now: context.host.now() })));
  }
}

function formOf({ model, file, language, prompt, timestamps }: TranscriptionRequest): FormData {
  const form = new FormData();
  form.append("file", new File([new Uint8Array(file.bytes)], file.name, { type: file.mediaType }));
  form.append("model", model);
  if (language !== "") form.append("language", language);
  if (prompt !== "") form.append("prompt", prompt);
  form.append("response_format", timestamps ? "verbose_json" : "json");
  return form;
}

function transcriptOf({ text, language, duration, segments, usage }: z.infer<typeof answerSchema>): Transcript {
  const audioTokens = usage?.input_token_details?.audio_tokens;
  const seconds = duration ?? usage?.seconds ?? (audioTokens === undefined ? undefined : audioTokens / tokensPerSecond);
  return {
    text: text.trim(),
    ...(language === undefined ? {} : { language }),
    ...(seconds === undefined || !Number.isFinite(seconds) ? {} : { seconds }),
    ...(segments
      ? { segments: segments.map(({ start, end, text: said }) => ({ start, end, text: said.trim() })) }
      : {}),
    ...(usage?.input_tokens === undefined
      ? {}
      : { usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens ?? 0 } }),
  };
}

function unreadable(vendor: string): RunErrorData {
  return {
    code: "model_error",
    message: `${vendor} answered with something that is no transcript.`,
    hint: "Check the model, and the base URL of the credential.",
    retryable: false,
  };
}

/** Errors of a chat model's conversation in words for a recording. */
function inWords(data: RunErrorData): RunErrorData {
  if (data.code !== "invalid_config") return data;
  return {
    ...data,
    hint: "Check the model, and that the recording is in a format that it takes, such as MP3, M4A, WAV, WebM or OGG.",
  };
}
