// `npm run doctor`: says what a Supabase project or a PostgreSQL server lacks for a studio, and how to set it.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/doctor.mjs";

await startCommand("cli/doctor/doctor.ts", usage);
