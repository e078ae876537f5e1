// A worker's process, as the studio and `npm run worker` start it.
import { register } from "tsx/esm/api";

// Packages that are loaded before the loader is there are Node's alone: that takes less memory.
await Promise.all(["@supabase/postgrest-js", "jose", "zod"].map((name) => import(name)));
register();
await import("./main.ts");
