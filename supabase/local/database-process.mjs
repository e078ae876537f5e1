// The process that holds the database, started by database-supervisor.ts.
import { importCompiled } from "../../scripts/compiled.mjs";

await importCompiled("supabase/local/database-process.ts");
