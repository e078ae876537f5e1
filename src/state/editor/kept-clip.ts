import { storedText } from "../shared/stored.ts";

/** The nodes that were copied last in any tab of this browser, for pages that may not touch the clipboard. */
export const keptClip = storedText("switchyard:clip");
