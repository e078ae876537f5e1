import { schemaCheck } from "../../engine/json-schema/schema-check.ts";
import type { SchemaRequest, SchemaVerdict } from "../../engine/json-schema/schema-verdict.ts";
import { serveRequests } from "../thread/serve-requests.ts";

/** Answers each request with its verdict. */
serveRequests(({ schema, value }: SchemaRequest): SchemaVerdict => schemaCheck(schema)(value));
