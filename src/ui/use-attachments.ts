import { useState } from "react";
import { shrinkImage } from "./shrink-image.ts";

/** The most pictures that go with one message. */
export const mostImages = 4;

/** The pictures that are to go with the next message, as `data:` URLs, and what is wrong with the last ones. */
export function useAttachments() {
  const [images, setImages] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState(0);

  const attach = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const room = mostImages - images.length - reading;
    const taken = files.slice(0, Math.max(0, room));
    setProblem(files.length > taken.length ? `A message can have at most ${mostImages} pictures.` : null);
    setReading((count) => count + taken.length);
    for (const file of taken) {
      const image = await shrinkImage(file);
      if (image.ok) setImages((known) => [...known, image.url]);
      else setProblem(image.problem);
      setReading((count) => count - 1);
    }
  };
  return {
    images,
    problem,
    reading: reading > 0,
    attach,
    detach: (index: number) => setImages((known) => known.filter((_, at) => at !== index)),
    clear: () => {
      setImages([]);
      setProblem(null);
    },
  };
}

export type Attachments = ReturnType<typeof useAttachments>;
