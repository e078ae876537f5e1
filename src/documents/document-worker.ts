import "./give-document.ts";
import type { DocumentWork } from "../engine/file/documents.ts";
import { serveRequests } from "../host/thread/serve-requests.ts";
import { doWork } from "./do-work.ts";

/** Answers each request with what a file says, or with what was made. */
serveRequests((work: DocumentWork) => doWork(work));
