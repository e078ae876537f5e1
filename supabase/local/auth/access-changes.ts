import type { DatabaseService } from "../database/database-service.ts";
import { endingPaths } from "./session-guard.ts";

type Requests = Pick<DatabaseService, "request">;

/** Changes of accounts and their sessions; a session that begins or is renewed takes nothing from anybody. */
const accountPath = /^\/auth\/v1\/(?!token$|signup$)/;
const credentialPath = /^\/rest\/v1\/(studio_credentials|rpc\/studio_save_credential)$/;

/** Counts what changes who may make which call with which credential, so that functions know when to ask again. */
export interface AccessChanges {
  count(): number;
  /** Passes requests on to the database, and watches them. */
  watch(database: Requests): Requests;
}

export function createAccessChanges(): AccessChanges {
  let changes = 0;
  return {
    count: () => changes,
    watch: (database) => ({
      async request(request) {
        const isChange = mayChangeAccess(request);
        try {
          return await database.request(request);
        } finally {
          if (isChange) changes += 1;
        }
      },
    }),
  };
}

function mayChangeAccess({ method, url }: { method: string; url: string }): boolean {
  if (method === "GET" || method === "HEAD") return false;
  const { pathname } = new URL(url);
  return accountPath.test(pathname) || credentialPath.test(pathname) || endingPaths.has(pathname);
}
