import type { NodeExchange } from "./http-server.ts";

/** Answers requests for the site, built or in development. */
export type SiteHandler = (request: Request, exchange: NodeExchange) => Promise<Response>;
