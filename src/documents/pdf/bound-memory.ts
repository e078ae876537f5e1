import { boundedMemory } from "./bounded-memory.ts";
import { sendSign } from "./pdf-signs.ts";

// For the thread's whole life, before pdf.js is loaded in it.
boundedMemory(() => sendSign("too-large"));
