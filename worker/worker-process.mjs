// A worker's process, as the studio and `npm run worker` start it.
import { importCompiled } from "./runtime/compiled.mjs";

await importCompiled("worker/main.ts");
