import { parseHTML } from "linkedom/worker";

// In browsers the parser of Markdown looks names of characters up by the page's document as soon as it is loaded; a worker has none.
const { document } = parseHTML("<!doctype html><html></html>");
Object.assign(globalThis, { document });
