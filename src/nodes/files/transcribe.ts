import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { RunError } from "../../engine/errors.ts";
import type { JsonObject } from "../../engine/json.ts";
import { maxSeconds, segmentsJson, transcriptionCost } from "../../engine/model/transcription.ts";
import { bookTranscription } from "../../engine/spending/book-call.ts";
import { providers } from "../../providers/index.ts";
import { onErrorField, repeatsOf, retryFields } from "../flow/error-field.ts";
import { fileIn } from "./document-work.ts";
import { fileField } from "./file-fields.ts";

/** The most bytes that OpenAI and Groq take (platform.openai.com/docs/guides/speech-to-text). */
const largestRecording = 25 * 1024 * 1024;

const vendors = providers.flatMap(({ id, title, credentialTypes, transcription }) =>
  transcription ? [{ id, title, credentialTypes, transcription }] : [],
);

/** The first that the catalogue names. */
const usualVendor = vendors[0]?.id ?? "";

/** The vendor of a config with its model, and what a minute costs; null where that is not known. */
function modelOf({
  provider,
  model,
  pricePerMinute,
}: {
  provider: string;
  model: string;
  pricePerMinute: number | null;
}) {
  const vendor = vendors.find(({ id }) => id === provider);
  const name = model || (vendor?.transcription.suggestedModels[0] ?? "");
  const listed = vendor?.transcription.perMinuteUsd ?? {};
  const perMinuteUsd = pricePerMinute ?? (Object.hasOwn(listed, name) ? (listed[name] ?? null) : null);
  return { vendor, name, perMinuteUsd };
}

export const transcribe = defineNode({
  type: "transcribe",
  version: 1,
  role: "flow",
  title: "Transcribe",
  summary: "Turns the speech in a recording into text.",
  keywords: [
    "speech to text",
    "audio",
    "voice",
    "recording",
    "dictation",
    "whisper",
    "subtitles",
    "meeting",
    "podcast",
    "call",
    "voicemail",
  ],
  section: "data",
  icon: "audio-lines",
  config: z.object({
    file: fileField("The recording, such as MP3, M4A, WAV, WebM or OGG, of at most 25 MB."),
    provider: field(z._default(z.enum(vendors.map(({ id }) => id)), usualVendor), {
      label: "Vendor",
      help: "The service that transcribes it. OpenAI-compatible: Groq, or a server of your own that has /audio/transcriptions.",
      optionTitles: Object.fromEntries(vendors.map(({ id, title }) => [id, title])),
    }),
    credential: field(z._default(z.string().check(z.maxLength(200)), ""), {
      label: "Credential",
      help: "Your key for the vendor. The workflow only refers to it and never contains it.",
      control: "credential",
      credentialTypes: vendors.flatMap(({ credentialTypes }) => credentialTypes),
      required: true,
    }),
    model: field(z._default(z.string().check(z.trim(), z.maxLength(200)), ""), {
      label: "Model",
      help: "Such as gpt-4o-transcribe, whisper-1 or whisper-large-v3-turbo. Empty: the vendor's default.",
      placeholder: "The vendor's default",
    }),
    language: field(z._default(z.string().check(z.trim(), z.maxLength(20)), ""), {
      label: "Language",
      help: "The language code, such as de. Empty: the model detects it.",
      template: "text",
    }),
    prompt: field(z._default(z.string().check(z.maxLength(4_000)), ""), {
      label: "Names and words",
      help: "Names and terms in the recording, so that they are spelled correctly.",
      control: "textarea",
      template: "text",
    }),
    timestamps: field(z._default(z.boolean(), false), {
      label: "Segments with timestamps",
      help: "Adds each segment with its start and end in seconds. Whisper models support this; gpt-4o-transcribe does not.",
    }),
    pricePerMinute: field(z._default(z.nullable(z.number().check(z.minimum(0), z.maximum(1_000))), null), {
      label: "Price per minute",
      placeholder: "from the price list",
      help: "US dollars. Empty: the built-in price list, which knows OpenAI's models. Under a spending limit, a model that is not listed needs a price: 0 for a server of your own.",
      section: "Cost",
    }),
    ...retryFields("How often to try again after a busy server or a broken connection."),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: [{ to: "transcription", credential: "credential" }],
  repeats: repeatsOf,
  calls(raw) {
    const { provider = usualVendor, model = "", pricePerMinute = null } = raw;
    if (typeof provider !== "string" || typeof model !== "string") return [];
    const own = typeof pricePerMinute === "number" ? pricePerMinute : null;
    const { vendor, name, perMinuteUsd } = modelOf({ provider, model, pricePerMinute: own });
    if (!vendor) return [];
    // What a minute costs is said in no tokens: all that counts is whether it is known.
    const price = perMinuteUsd === null ? undefined : { input: 0, output: 0 };
    return [{ provider, model: name, price, fields: ["pricePerMinute"] }];
  },
  describe: ({ model }) => (typeof model === "string" ? model : ""),
  outputKeys: ({ timestamps }) => ["text", "language", "seconds", ...(timestamps === true ? ["segments"] : [])],
  /** `{ text, language?, seconds?, segments? }`. */
  async run({ config, files, host, node, signal, emit }): Promise<JsonObject> {
    const { vendor, name: model, perMinuteUsd } = modelOf(config);
    if (!vendor) throw new RunError(noVendor(config.provider));
    const file = fileIn(files, config.file);
    const bytes = await files.read(file, { maxBytes: largestRecording, signal });
    const caller = { host, spending: [], nodeId: node.id, signal };
    const booking = await bookTranscription({ name: model, perMinuteUsd }, maxSeconds(bytes), caller);
    if (!booking.ok) throw new RunError(booking.error);
    const startedAt = host.now();
    const { language, prompt, timestamps } = config;
    const request = {
      model,
      file: { name: file.name, mediaType: file.mediaType, bytes },
      language,
      prompt,
      timestamps,
    };
    const context = { host, credential: config.credential, nodeId: node.id };
    const said = await vendor.transcription.transcribe({ ...request, signal }, context).catch((error: unknown) => {
      // A request that was refused costs nothing; one that was stopped may have been answered already.
      booking.settle(signal.aborted ? null : 0);
      throw error;
    });
    const costUsd = transcriptionCost(perMinuteUsd, said.seconds);
    booking.settle(costUsd);
    emit({
      type: "transcription",
      nodeId: node.id,
      provider: vendor.id,
      model,
      seconds: said.seconds ?? null,
      usage: said.usage ?? { inputTokens: 0, outputTokens: 0 },
      costUsd,
      durationMs: host.now() - startedAt,
    });
    const { text, language: spoken, seconds, segments } = said;
    return {
      text,
      ...(spoken === undefined ? {} : { language: spoken }),
      ...(seconds === undefined ? {} : { seconds }),
      ...(segments && timestamps ? { segments: segmentsJson(segments) } : {}),
    };
  },
});

function noVendor(provider: string) {
  const message = `There is no transcription service called "${provider}".`;
  return { code: "invalid_config" as const, message, hint: "Choose a vendor in the settings." };
}
