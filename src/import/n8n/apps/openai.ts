import type { Json, JsonObject } from "../../../engine/json.ts";
import type { Made } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import { requestConfig, requestStep, type Service } from "../services.ts";
import { type AppMapper, type AppRequest, given, listOf, present, segment, unsaid } from "./request.ts";

const noFiles = (what: string) => unsaid(`It sends ${what}, and files are not sent yet.`);

/** A picture for a text (platform.openai.com/docs/api-reference/images/create). */
const createImage: AppMapper = (work) => {
  const model =
    given(work, "model") ??
    given(work, "options", "model") ??
    (work.at("resource") === "image" ? "dall-e-3" : "dall-e-2");
  const isNew = String(model).startsWith("gpt-image");
  const urls = work.flag(["options", "returnImageUrls"]) || work.word("responseFormat") === "imageUrl";
  const option = (name: string) => given(work, "options", name);
  return {
    method: "POST",
    path: "/images/generations",
    body: present({
      model,
      prompt: given(work, "prompt"),
      n: option("n"),
      size: option("size") ?? option("resolution"),
      quality: option("quality") ?? option("dalleQuality"),
      style: option("style"),
      response_format: isNew ? undefined : urls ? "url" : "b64_json",
    }),
    note:
      urls && !isNew
        ? "The picture’s address stands in “data[0].url”."
        : "The picture comes as base64 in “data[0].b64_json”.",
  };
};

/** The text of an answer as “response”, where expressions of other nodes look for what a model said. */
export function answered(work: NodeWork, service: Service, request: AppRequest, text: string): Made {
  if (!work.inFlow)
    return {
      type: "http-request-tool",
      config: { ...requestConfig(service, request) },
      needs: service.needs,
    };
  const asked = work.step("answer");
  return {
    type: "set-fields",
    before: [requestStep(asked, service, request)],
    config: { fields: { response: `{{${text}}}` }, keepInput: true },
    outcome: "approximated",
    note: "A request asks the model; the text of its answer is “response”.",
    needs: service.needs,
  };
}

/** What a recording says, in English (platform.openai.com/docs/api-reference/audio). */
const translation: AppMapper = (work) => ({
  method: "POST",
  path: "/audio/translations",
  parts: present({
    model: "whisper-1",
    file: work.file("binaryPropertyName"),
    temperature: given(work, "options", "temperature"),
  }),
});

/** What a model sees in pictures by their addresses (platform.openai.com/docs/api-reference/chat/create). */
const analyzeImage: AppMapper = (work): Made => {
  if (work.word("inputType", "url") !== "url") return noFiles("a picture");
  work.drop("simplify", "The text of the answer is “response”.");
  const urls = listOf(work, work.at("imageUrls")) ?? [];
  const detail = given(work, "options", "detail");
  const picture = (url: Json): JsonObject => ({ type: "image_url", image_url: { url, ...present({ detail }) } });
  const text: JsonObject = { type: "text", text: given(work, "text") ?? "What's in this image?" };
  const content: Json = Array.isArray(urls)
    ? [text, ...urls.map(picture)]
    : `{{[dyn({"type": "text", "text": ${expressionText(text.text)}})] + ${String(urls).slice(2, -2)}.map(one, dyn({"type": "image_url", "image_url": {"url": text(one)} })) }}`;
  const request: AppRequest = {
    method: "POST",
    path: "/chat/completions",
    body: present({
      model: given(work, "modelId") ?? given(work, "model"),
      messages: [{ role: "user", content }],
      max_completion_tokens: given(work, "options", "maxTokens"),
    }),
  };
  return answered(work, openAiApi, request, "json.choices[0].message.content");
};

const expressionText = (text: Json | undefined) => {
  const made = String(text ?? "");
  return /^\{\{[^]*\}\}$/.test(made) && made.indexOf("{{", 2) === -1
    ? `text(${made.slice(2, -2)})`
    : JSON.stringify(made);
};

/** OpenAI's API beside the models that agents use. */
export const openAiApi: Service = {
  base: "https://api.openai.com/v1",
  needs: "an OpenAI key (HTTP bearer)",
  usual: {
    operations: {
      image: "generate",
      audio: "generate",
      file: "upload",
      assistant: "message",
      text: "complete",
      conversation: "create",
      video: "generate",
    },
  },
  calls: {
    "image.generate": createImage,
    "image.create": createImage,
    "image.analyze": analyzeImage,
    "image.edit": () => noFiles("a picture"),
    "audio.generate": (work) => ({
      method: "POST",
      path: "/audio/speech",
      body: present({
        model: given(work, "model") ?? "tts-1",
        input: given(work, "input"),
        voice: given(work, "voice") ?? "alloy",
        response_format: given(work, "options", "response_format"),
        speed: given(work, "options", "speed"),
        instructions: given(work, "options", "instructions"),
      }),
    }),
    "audio.transcribe": transcription,
    "audio.translate": translation,
    "text.classify": (work) => ({
      method: "POST",
      path: "/moderations",
      body: present({ input: given(work, "input") }),
    }),
    "text.moderate": (work) => ({
      method: "POST",
      path: "/moderations",
      body: present({ input: given(work, "input"), model: given(work, "model") }),
    }),
    "file.list": (work) => ({
      method: "GET",
      path: "/files",
      query: present({ purpose: given(work, "options", "purpose") }),
      paging: { parameter: "after", next: "", items: "data", all: false },
    }),
    "file.deleteFile": (work) => ({ method: "DELETE", path: `/files/${segment(work, "fileId")}` }),
    "file.upload": (work) => ({
      method: "POST",
      path: "/files",
      parts: {
        purpose: given(work, "options", "purpose") ?? "assistants",
        file: work.file("binaryPropertyName"),
      },
    }),
    "conversation.create": () => ({ method: "POST", path: "/conversations", body: {} }),
    "conversation.get": (work) => ({ method: "GET", path: `/conversations/${segment(work, "conversationId")}` }),
    "conversation.remove": (work) => ({ method: "DELETE", path: `/conversations/${segment(work, "conversationId")}` }),
    "assistant.list": (work) => ({
      method: "GET",
      path: "/assistants",
      query: { limit: given(work, "limit") ?? 100 },
      headers: { "OpenAI-Beta": "assistants=v2" },
      paging: { parameter: "after", next: "", items: "data", all: false },
    }),
    "assistant.deleteAssistant": (work) => ({
      method: "DELETE",
      path: `/assistants/${segment(work, "assistantId")}`,
      headers: { "OpenAI-Beta": "assistants=v2" },
    }),
  },
};

/** The path of a model in Gemini's API, which n8n keeps with its `models/`. */
const geminiModel = (work: NodeWork) =>
  `/${segment(work, "modelId")
    .replaceAll("%2F", "/")
    .replace(/^(?!models\/|\{\{)/, "models/")}`;

/** A question about something at an address (ai.google.dev/api/generate-content). */
const analyze =
  (what: string, addresses: readonly string[]): AppMapper =>
  (work): Made => {
    if (work.word("inputType", "url") !== "url") return noFiles(what);
    work.drop("simplify", "The text of the answer is “response”.");
    const name = addresses.find((one) => work.at(one) !== undefined) ?? addresses[0] ?? "";
    const urls = listOf(work, work.at(name));
    if (!Array.isArray(urls)) return unsaid("How many addresses it asks about is worked out by an expression.");
    const most = given(work, "options", "maxOutputTokens");
    const request: AppRequest = {
      method: "POST",
      path: `${geminiModel(work)}:generateContent`,
      body: {
        contents: [
          {
            role: "user",
            parts: [
              ...urls.map((one): JsonObject => ({ file_data: { file_uri: one } })),
              { text: given(work, "text") ?? "" },
            ],
          },
        ],
        ...(most === undefined ? {} : { generationConfig: { maxOutputTokens: most } }),
      },
    };
    return answered(work, geminiApi, request, "json.candidates[0].content.parts[0].text");
  };

/** A recording as text, by the model that n8n uses. */
function transcription(work: NodeWork): Made {
  const language = given(work, "options", "language");
  const model = given(work, "options", "model") ?? "whisper-1";
  return {
    type: "transcribe",
    config: present({ file: work.file("binaryPropertyName"), provider: "openai", model, language }),
  };
}

/** Gemini's API beside the models that agents use. */
export const geminiApi: Service = {
  base: "https://generativelanguage.googleapis.com/v1beta",
  needs: "a Gemini key (HTTP header x-goog-api-key)",
  usual: {
    operations: { image: "generate", video: "generate", audio: "transcribe", document: "analyze", file: "upload" },
  },
  calls: {
    "image.generate": (work) => {
      const isImagen = String(work.at("modelId") ?? "").includes("imagen");
      const count = given(work, "options", "sampleCount");
      const prompt = given(work, "prompt") ?? "";
      return isImagen
        ? {
            method: "POST",
            path: `${geminiModel(work)}:predict`,
            body: { instances: [{ prompt }], parameters: present({ sampleCount: count ?? 1 }) },
            note: "The picture comes as base64 in “predictions”.",
          }
        : {
            method: "POST",
            path: `${geminiModel(work)}:generateContent`,
            body: {
              contents: [{ parts: [{ text: prompt }] }],
              generationConfig: { responseModalities: ["TEXT", "IMAGE"] },
            },
            note: "The picture comes as base64 in the parts of the answer.",
          };
    },
    "image.analyze": analyze("a picture", ["imageUrls"]),
    "image.edit": () => noFiles("a picture"),
    "video.analyze": analyze("a film", ["videoUrls"]),
    "audio.analyze": analyze("sound", ["audioUrls"]),
    "audio.transcribe": analyze("sound", ["audioUrls"]),
    "document.analyze": analyze("a document", ["documentUrls"]),
    "video.generate": (work) => ({
      method: "POST",
      path: `${geminiModel(work)}:predictLongRunning`,
      body: {
        instances: [{ prompt: given(work, "prompt") ?? "" }],
        parameters: present({
          aspectRatio: given(work, "options", "aspectRatio"),
          durationSeconds: given(work, "options", "durationSeconds"),
          sampleCount: given(work, "options", "sampleCount"),
          personGeneration: given(work, "options", "personGeneration"),
        }),
      },
      note: "It gives the name of a job; ask for its state until the film is there.",
    }),
    "file.upload": () => noFiles("a file"),
  },
};
