// `npm run worker`: where the functions have a database role, they come along, in a process that runs no workflow.
import { importCompiled } from "./runtime/compiled.mjs";

const isAlone = Boolean(process.env["FUNCTIONS_DATABASE_URL"]);
await importCompiled(isAlone ? "supabase/local/workers/stand-alone-worker.ts" : "worker/main.ts");
