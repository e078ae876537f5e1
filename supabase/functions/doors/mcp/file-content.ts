import { readBytes } from "../../../../src/engine/file/read-bytes.ts";
import { base64Of } from "../../../../src/engine/model/data-url.ts";
import type { DoorRun } from "../../_shared/door-runs.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { answeredFiles, type AnsweredFile } from "../../_shared/files/answered-files.ts";
import { createFileStorage } from "../../_shared/files/file-storage.ts";

/** A part of a tool's result (Model Context Protocol, tools, "Tool result"). */
export type ToolContent =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "resource_link"; uri: string; name: string; mimeType: string; size: number };

/** The first version of the protocol with links to resources. */
const firstWithLinks = "2025-06-18";

/** Pictures that a result holds itself: what every model with vision takes, and no more than clients put before one. */
const shownPictures = /^image\/(?:png|jpeg|gif|webp)$/;
const pictureBytes = { each: 1024 * 1024, all: 4 * 1024 * 1024 };

interface FileTerms {
  /** Begins the addresses of files. */
  base: string;
  /** The protocol's version that the client speaks; older ones know no links. */
  version: string;
  signal: AbortSignal;
}

/** The files of a run's output: small pictures as they are, all others as links that last for an hour. */
export async function fileContent(run: DoorRun, terms: FileTerms, context: FunctionContext): Promise<ToolContent[]> {
  const storage = createFileStorage(context);
  const content: ToolContent[] = [];
  let room = pictureBytes.all;
  for (const answered of await answeredFiles(run, terms.base, context)) {
    const { file } = answered;
    const isShown = shownPictures.test(file.mediaType) && file.size <= Math.min(room, pictureBytes.each);
    const opened = isShown ? await storage.open({ run: run.id }, file.$file, terms.signal) : null;
    const bytes = opened && (await readBytes(opened.bytes, pictureBytes.each));
    if (bytes) {
      room -= bytes.byteLength;
      content.push({ type: "image", data: base64Of(bytes), mimeType: file.mediaType });
    } else content.push(linkTo(answered, terms.version));
  }
  return content;
}

function linkTo({ file: { name, mediaType, size }, url }: AnsweredFile, version: string): ToolContent {
  if (version < firstWithLinks) return { type: "text", text: `${name} (${mediaType}): ${url}` };
  return { type: "resource_link", uri: url, name, mimeType: mediaType, size };
}
