import { serveRequests } from "../../../../host/thread/serve-requests.ts";
import { readStructured } from "./read-structured.ts";
import type { TextRequest } from "./text-reader.ts";

/** Answers each request with what its text says. */
serveRequests(({ kind, text }: TextRequest) => readStructured(kind, text));
