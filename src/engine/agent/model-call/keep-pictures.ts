import { RunError } from "../../errors.ts";
import type { RunFiles } from "../../file/run-files.ts";
import { pictureType } from "../../file/picture-type.ts";
import { bytesOfBase64, readDataUrl } from "../../model/data-url.ts";
import type { AssistantMessage, ImagePart, MadeFilePart } from "../../model/message.ts";
import type { Execution } from "../execution.ts";

/** Stores the pictures that come with an answer. Never rejects with a RunError. */
export type KeepPictures = (answer: AssistantMessage) => Promise<AssistantMessage>;

/**
 * Makes what turns pictures in answers of models into files of the run, each once: events, memory and output hold their references. A
 * picture that cannot be kept is left out with a warning, and an answer that was nothing else says so.
 */
export function createPictureKeeper({ run, deadline, warn }: Execution): KeepPictures {
  const { runFiles } = run;
  const { signal } = deadline;
  let made = 0;

  async function keep({ url, vendor }: ImagePart, files: RunFiles): Promise<MadeFilePart> {
    const { type: said, data } = readDataUrl(url) ?? { type: "", data: "" };
    const bytes = bytesOfBase64(data);
    if (!said.startsWith("image/") || bytes === undefined || bytes.length === 0) throw unreadable();
    const type = pictureType(bytes) ?? said;
    const file = await files.create(`picture-${made + 1}.${endingOf(type)}`, type, bytes, { signal });
    made += 1;
    return { type: "made-file", file, ...(vendor === undefined ? {} : { vendor }) };
  }

  return async (answer) => {
    if (!runFiles || !answer.parts.some(isWhole)) return answer;
    const parts: AssistantMessage["parts"] = [];
    let reason = "";
    for (const part of answer.parts) {
      if (!isWhole(part)) {
        parts.push(part);
        continue;
      }
      try {
        parts.push(await keep(part, runFiles));
      } catch (error) {
        if (signal.aborted) continue;
        if (!(error instanceof RunError)) throw error;
        reason = error.message;
        warn(`A picture of the answer was left out. ${reason}`, error.data.hint);
      }
    }
    const isEmpty = parts.every(({ type }) => type === "reasoning");
    if (isEmpty && reason !== "") parts.push({ type: "text", text: `[A picture was left out. ${reason}]` });
    return { ...answer, parts };
  };
}

/** Whether a part is a picture by its content. An address of another site is no file. */
function isWhole(part: AssistantMessage["parts"][number]): part is ImagePart {
  return part.type === "image" && part.url.startsWith("data:");
}

/** How the name of a file of this type ends. */
function endingOf(type: string): string {
  return type.slice("image/".length).replace("jpeg", "jpg").replace(/\+.*/, "");
}

function unreadable(): RunError {
  const message = "The model sent no readable picture.";
  return new RunError({ code: "model_error", message, hint: "Try again, or choose another model.", retryable: true });
}
