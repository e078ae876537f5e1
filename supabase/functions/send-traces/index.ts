import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { sendTracesEndpoint } from "./handler.ts";

serveOnDeno(sendTracesEndpoint, "collectors");
