import { createNodeHost } from "../../../../cli/headless/node-host.ts";
import type { JsonObject } from "../../../../src/engine/json.ts";
import { testHost, type TestHost, type TestHostOptions } from "../../../../src/engine/testing/test-host.ts";
import { startPostgresServer, type PostgresServer } from "../../_shared/testing/postgres-server.ts";

/** Of the role that owns the shop's tables. */
export const shopPassword = "test-key-shop-0123456789abcdef";

const tables = `
  create role shop login password '${shopPassword}';
  grant create on schema public to shop;
  set role shop;
  create table orders (id integer primary key, status text not null, total numeric(10, 2));
  create table notes (id integer generated always as identity primary key, text text not null);
`;
const stock = `
  truncate orders, notes;
  insert into orders values (1, 'open', 10), (2, 'open', 20.5), (3, 'paid', 30);
`;

export type Shop = PostgresServer & {
  /** Empties the tables and puts three orders in. */
  restock(): Promise<unknown>;
  orders(): Promise<unknown>;
  /** The headless host's own functions under a test host; its credential `c` is the shop's, with these settings. */
  hostWith(settings?: JsonObject, options?: TestHostOptions): TestHost;
};

/** A PostgreSQL with the tables of a shop, for nodes that reach it as in a run. */
export async function startShop(): Promise<Shop> {
  const server = await startPostgresServer({ setup: tables });
  return {
    ...server,
    restock: () => server.run(stock),
    orders: () => server.run("select id, status, total::text as total from orders order by id"),
    hostWith(settings = {}, options = {}) {
      const connectionString = server.urlOf("shop", shopPassword);
      const credential = { type: "postgres" as const, fields: { connectionString, tls: false } };
      const real = createNodeHost({
        credentials: {
          get: (id) => (id === "c" ? { credential, allowedHosts: [`127.0.0.1:${server.port}`], settings } : undefined),
          secrets: [shopPassword],
        },
        policy: { allowHosts: [] },
        approve: false,
        workflows: { load: () => Promise.reject(new Error("There is none.")) },
      });
      const made = testHost(options);
      made.callFunction = real.callFunction;
      // No time limit passes; the demo model's pauses between words do at once.
      made.sleep = (ms, signal) =>
        ms < 1_000
          ? Promise.resolve()
          : new Promise((_resolve, reject) =>
              signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
            );
      return made;
    },
  };
}
