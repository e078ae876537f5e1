import type { FilePart } from "../../engine/model/message.ts";

/** Stands in a conversation for a file that the model cannot read, such as one from before another model was chosen. */
export function leftOutFile({ name }: FilePart): string {
  return `[${name ?? "A file"} was attached here. You cannot read it.]`;
}
