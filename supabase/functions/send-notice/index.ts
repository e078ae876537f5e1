import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { sendNoticeEndpoint } from "./handler.ts";

serveOnDeno(sendNoticeEndpoint, "failures");
