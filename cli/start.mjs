// `npm start`: install and build if needed, start the embedded Supabase and the studio on one address.
import { launch } from "./launch.mjs";

await launch("production");
