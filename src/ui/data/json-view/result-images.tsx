import { useState } from "react";
import { Button } from "../../buttons/button.tsx";
import type { ResultImage } from "./images-in.ts";

function OneImage({ image }: { image: ResultImage }) {
  const [open, setOpen] = useState(false);
  const kind = image.mimeType.replace("image/", "").toUpperCase();
  return (
    <div className="flex flex-col items-start gap-1">
      <Button size="sm" icon="image" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "Hide" : "Show"} picture ({kind}, {Math.max(1, Math.round(image.bytes / 1024))} KB)
      </Button>
      {open && (
        <img src={image.source} alt="What the tool gave" className="max-h-80 max-w-full rounded-md border bg-canvas" />
      )}
    </div>
  );
}

/** Pictures of a result. Each is drawn only when somebody asks to see it. */
export function ResultImages({ images }: { images: readonly ResultImage[] }) {
  return images.map((image, index) => <OneImage key={index} image={image} />);
}
