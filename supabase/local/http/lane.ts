import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * A short way past the routes, without the web's objects for requests and streams. Takes a request that it can answer; false
 * leaves it to the next lane or the routes.
 */
export type Lane = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
