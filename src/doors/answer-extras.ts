import { type FileValue, filesIn } from "../engine/file/file.ts";
import { isJsonObject, type Json } from "../engine/json.ts";
import type { Source } from "../engine/model/message.ts";

/** Files that an answer shows; more stay in the run. */
const maxFiles = 20;

/** The web pages that an answer rests on, and the pictures that belong to it (`data:` URLs). */
export interface AnswerExtras {
  sources?: Source[];
  images?: string[];
}

/** The files that belong to an answer, wherever its output has them. Pictures that the model made stand among `images` as well. */
export function answerFiles(output: Json | undefined): FileValue[] {
  const hasPictures = isJsonObject(output) && Array.isArray(output.images) && output.images.length > 0;
  return filesIn(hasPictures ? { ...output, files: null } : output).slice(0, maxFiles);
}

/** What of a run's output belongs to the answer besides its words. */
export function answerExtras(output: Json | undefined): AnswerExtras {
  if (!isJsonObject(output) || !("response" in output)) return {};
  const sources = Array.isArray(output.sources) ? output.sources.flatMap(sourceIn) : [];
  const images = Array.isArray(output.images) ? output.images.filter((url) => isPicture(url)) : [];
  return { ...(sources.length > 0 ? { sources } : {}), ...(images.length > 0 ? { images } : {}) };
}

function sourceIn(value: Json): Source[] {
  if (!isJsonObject(value) || typeof value.url !== "string" || !/^https?:\/\//i.test(value.url)) return [];
  return [{ url: value.url, ...(typeof value.title === "string" ? { title: value.title } : {}) }];
}

function isPicture(value: Json): value is string {
  return typeof value === "string" && /^data:image\/(png|jpeg|webp|gif);base64,/.test(value);
}
