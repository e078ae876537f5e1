import "./bound-memory.ts";
// pdf.js does its work here, off the page's thread; it listens as soon as it is loaded.
import "pdfjs-dist/legacy/build/pdf.worker.min.mjs";
import { betweenSignsMs, sendSign } from "./pdf-signs.ts";

sendSign("alive");
setInterval(() => sendSign("alive"), betweenSignsMs);
