import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { executeHttpEndpoint } from "./handler.ts";

serveOnDeno(executeHttpEndpoint);
