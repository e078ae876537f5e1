import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";

/** Backgrounds of notes and groups. */
export const tints = ["yellow", "blue", "green", "red", "grey"] as const;

const side = (label: string, usual: number) =>
  field(z._default(z.number().check(z.minimum(120), z.maximum(20_000)), usual), {
    label,
    help: "In canvas pixels; drag a corner on the canvas.",
    hidden: true,
  });

/** The size of something that people pull to the size they want, in canvas pixels. */
export function frameSize(usual: { width: number; height: number }) {
  return { width: side("Width", usual.width), height: side("Height", usual.height) };
}
