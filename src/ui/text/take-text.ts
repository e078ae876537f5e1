import { showToast } from "../feedback/toast-store.ts";

/**
 * Hands over the text of a file that a person chose or dropped. Never rejects: where it cannot be read, as a folder cannot, a
 * message says so.
 */
export async function takeText(
  file: Pick<File, "name" | "text"> | undefined,
  take: (text: string) => void,
): Promise<void> {
  if (file === undefined) return;
  const text = await file.text().catch(() => undefined);
  if (text !== undefined) take(text);
  else
    showToast(
      `“${file.name}” could not be read.`,
      { hint: "If it is a folder, choose a file in it. Otherwise it may have been moved or changed: choose it again." },
      "error",
    );
}
