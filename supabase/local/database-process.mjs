// The process that holds the database, started by database-supervisor.ts. Node that reads TypeScript by itself needs no loader.
import { register } from "tsx/esm/api";

await Promise.all(
  ["@supabase/lite", "@supabase/lite/pglite", "@electric-sql/pglite/vector", "zod"].map((name) => import(name)),
);
if (!process.features.typescript) register();
await import("./database-process.ts");
