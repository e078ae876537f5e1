import { RunError } from "../../errors.ts";
import { documentText } from "../../file/document-text.ts";
import type { FileValue } from "../../file/file.ts";
import type { RunFiles } from "../../file/run-files.ts";
import { sizeText } from "../../file/size-text.ts";
import type { Host } from "../../host.ts";
import { fileTypes } from "../../model/attachments.ts";
import type { ChatModel } from "../../model/chat-model.ts";
import { dataUrlOf } from "../../model/data-url.ts";
import type { FilePart, ImagePart } from "../../model/message.ts";
import { firstChars } from "../../well-formed.ts";

/** Pictures that every vendor with vision takes (OpenAI, Anthropic and Gemini image input guides). */
const pictureTypes = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);
/** The smallest limit of a picture among vendors (Anthropic vision guide). */
export const largestPicture = 5 * 1024 * 1024;
/** Of a PDF or a recording; requests to vendors may have some 20 MB in all. */
export const largestFile = 10 * 1024 * 1024;
/** Of a file that is read for its text. */
const largestRead = 50 * 1024 * 1024;
/** Characters of one file's text that a model is given. */
const longestText = 50_000;

/** Other names of types that vendors know. */
const sameTypes: Readonly<Record<string, string>> = {
  "audio/mp3": "audio/mpeg",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "image/jpg": "image/jpeg",
};

/** Why a model is not given a file, or not all of it, for people; `toModel` says the same to the model. */
export interface FileProblem {
  message: string;
  hint: string;
  toModel: string;
}

/** What a model is given of a file: what it sees or hears, or a text. */
export interface FileContent {
  part?: ImagePart | FilePart;
  text?: string;
  problem?: FileProblem;
}

interface Context {
  files: RunFiles;
  host: Pick<Host, "documents">;
  signal: AbortSignal;
  /** The most bytes of a picture. */
  maxPicture: number;
}

/**
 * What this model can be given of a file: the file itself where the model takes it, otherwise its text. The messages that name it
 * say whether it came from outside. Never rejects but with the signal's reason.
 */
export async function contentFor(model: ChatModel, file: FileValue, context: Context): Promise<FileContent> {
  try {
    return await contentOf(model, file, context);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof RunError)) throw error;
    return { problem: notGiven(file, error.message, error.data.hint) };
  }
}

async function contentOf(model: ChatModel, file: FileValue, context: Context): Promise<FileContent> {
  const { files, signal, maxPicture } = context;
  const { modelId, capabilities } = model;
  const type = sameTypes[file.mediaType] ?? file.mediaType;
  const url = async () => dataUrlOf(type, await files.read(file, { maxBytes: largestFile, signal, isMarked: true }));
  if (type.startsWith("image/") && type !== "image/svg+xml") {
    if (!pictureTypes.has(type)) {
      return {
        problem: notGiven(file, `Models do not accept pictures of type ${type}.`, "Use PNG, JPEG, WebP or GIF."),
      };
    }
    if (!capabilities.vision) {
      return { problem: notGiven(file, `The model ${modelId} cannot see pictures.`, "Choose a model with vision.") };
    }
    if (file.size > maxPicture) return { problem: tooLarge(file, maxPicture) };
    return { part: { type: "image", url: await url() } };
  }
  const kind = Object.hasOwn(fileTypes, type) ? fileTypes[type] : undefined;
  if (kind !== undefined && capabilities.files?.includes(kind) && file.size <= largestFile) {
    return { part: { type: "file", url: await url(), name: file.name } };
  }
  if (type.startsWith("audio/")) {
    if (kind !== undefined && file.size > largestFile && capabilities.files?.includes(kind)) {
      return { problem: tooLarge(file, largestFile) };
    }
    const hint = "Choose a model that takes such recordings, or put a Transcribe step before the agent.";
    return { problem: notGiven(file, `The model ${modelId} cannot hear this recording.`, hint) };
  }
  if (type.startsWith("video/")) {
    const hint = "Give it a text about the video, or pictures of it.";
    return { problem: notGiven(file, "Videos are not sent to models.", hint) };
  }
  return await textFor(file, context);
}

async function textFor(file: FileValue, { files, host, signal }: Context): Promise<FileContent> {
  if (!host.documents) {
    return { problem: notGiven(file, "Files cannot be read here.", "Run the workflow in the studio.") };
  }
  const { name, mediaType } = file;
  const bytes = await files.read(file, { maxBytes: largestRead, signal, isMarked: true });
  const answer = await host.documents({ do: "read", file: { name, mediaType, bytes } }, signal);
  if (!answer.ok) return { problem: notGiven(file, answer.message, answer.hint) };
  const whole = answer.document === undefined ? "" : documentText(answer.document).trim();
  if (whole === "") {
    const hint = "Choose a model that reads such files itself.";
    return { problem: notGiven(file, "It contains no text.", hint) };
  }
  if (whole.length <= longestText) return { text: whole };
  const [first, all] = [longestText, whole.length].map((count) => count.toLocaleString("en"));
  return {
    text: firstChars(whole, longestText),
    problem: {
      message: `The model was given only the first ${first} of ${all} characters of "${name}".`,
      hint: "Give it the part that it needs, or put long documents into a collection.",
      toModel: `Cut: the first ${first} of ${all} characters.`,
    },
  };
}

function tooLarge(file: FileValue, most: number): FileProblem {
  const reason = `It has ${sizeText(file.size)}; models are given at most ${sizeText(most)}.`;
  return notGiven(file, reason, "Use a smaller file.");
}

function notGiven(file: FileValue, reason: string, hint: string): FileProblem {
  return {
    message: `The model was not given "${file.name}". ${reason}`,
    hint,
    toModel: `You cannot read it. ${reason}`,
  };
}
