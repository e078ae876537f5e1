import { readTextFile } from "../../engine/text/decode-text.ts";
import { visibleName } from "../../engine/text/visible-name.ts";
import { showToast } from "../feedback/toast-store.ts";

/**
 * Hands over the text and the name of a file that a person chose or dropped. Never rejects: where it cannot be read, as a folder cannot, a
 * message says so.
 */
export async function takeText(
  file: Pick<File, "name" | "type" | "arrayBuffer"> | undefined,
  take: (text: string, fileName: string) => void,
): Promise<void> {
  if (file === undefined) return;
  const text = await readTextFile(file).catch(() => undefined);
  if (text !== undefined) take(text, visibleName(file.name));
  else
    showToast(
      `“${visibleName(file.name)}” could not be read.`,
      {
        hint: "If it is a folder, choose a file in it. If it is a text, it may have been moved or changed: choose it again.",
      },
      "error",
    );
}
