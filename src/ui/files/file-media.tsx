import { visibleName } from "../../engine/text/visible-name.ts";
import { lookOf, type ShownFile } from "./file-look.ts";

/** A picture as it is, sound and film with a player; nothing for what a browser cannot show. */
export function FileMedia({ file, url, playing = false }: { file: ShownFile; url: string; playing?: boolean }) {
  const name = visibleName(file.name);
  switch (lookOf(file.mediaType)) {
    case "picture":
      return <img src={url} alt={name} className="max-h-80 max-w-full rounded-md border object-contain" />;
    case "sound":
      return (
        <audio src={url} controls autoPlay={playing} preload="metadata" aria-label={name} className="max-w-full" />
      );
    case "film":
      return (
        <video
          src={url}
          controls
          autoPlay={playing}
          preload="metadata"
          aria-label={name}
          className="max-h-80 max-w-full rounded-md border"
        />
      );
    case "other":
      return null;
  }
}
