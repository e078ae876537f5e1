import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { redisMemoryEndpoint } from "./handler.ts";

serveOnDeno(redisMemoryEndpoint);
