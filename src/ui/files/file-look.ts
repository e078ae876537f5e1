import type { IconName } from "../icons/icon.tsx";

/** What is known of a file without its bytes. */
export interface ShownFile {
  name: string;
  mediaType: string;
  /** Bytes. */
  size: number;
}

/** How a browser can show a file without running anything that is in it. */
export type FileLook = "picture" | "sound" | "film" | "other";

export function lookOf(mediaType: string): FileLook {
  if (/^image\/(png|jpeg|gif|webp|avif)$/.test(mediaType)) return "picture";
  if (mediaType.startsWith("audio/")) return "sound";
  if (mediaType.startsWith("video/")) return "film";
  return "other";
}

export const fileIcons: Readonly<Record<FileLook, IconName>> = {
  picture: "image",
  sound: "play",
  film: "play",
  other: "file-text",
};
