import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { filesEndpoint } from "./handler.ts";

serveOnDeno(filesEndpoint);
