// The process that holds the database, started by database-supervisor.ts.
import { importCompiled } from "../../../worker/runtime/compiled.mjs";

try {
  await importCompiled("supabase/local/database/database-process.ts");
} catch (error) {
  // Said when it is asked to open, so that nobody takes the data for damaged.
  process.once("message", () =>
    process.send?.({
      kind: "not-opened",
      message: `The database's program cannot be loaded: ${error.message}`,
      hint: "Nothing was changed. Delete the folder node_modules and start again, which installs it anew.",
      stack: error.stack,
    }),
  );
  process.once("disconnect", () => process.exit(1));
}
