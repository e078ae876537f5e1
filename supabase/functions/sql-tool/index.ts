import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { sqlToolEndpoint } from "./handler.ts";

serveOnDeno(sqlToolEndpoint);
