import { afterEach, expect, test } from "vitest";
import { success } from "../_shared/failure.ts";
import { dishonestPostgres } from "../_shared/testing/dishonest-postgres.ts";
import { dishonestAnywhere } from "../_shared/testing/dishonest-server.ts";
import { type RawServer, startRawServer } from "../_shared/testing/raw-server.ts";
import { sqlTool } from "./sql-tool.ts";

let server: RawServer;
afterEach(() => server.stop());

test.each(Object.entries({ ...dishonestAnywhere, ...dishonestPostgres }))(
  "S64 %s is an error in words",
  async (_case, talk) => {
    const heard: Buffer[] = [];
    server = await startRawServer((socket) => {
      socket.on("data", (bytes) => heard.push(bytes));
      talk(socket);
    });
    const { port } = server;
    const connectionString = `postgresql://user:test-key-db@127.0.0.1:${port}/db`;
    const outcome = await sqlTool(
      { operation: "execute", credential: "c", sql: "select 1", readOnly: true, timeoutMs: 1_000 },
      {
        policy: { allowHosts: [], allowLoopback: true },
        findCredential: async () =>
          success({
            type: "postgres",
            allowedHosts: [`127.0.0.1:${port}`],
            settings: {},
            open: async () => success({ type: "postgres", fields: { connectionString, tls: false } }),
          }),
      },
    );
    expect(outcome).toMatchObject({ ok: true, value: { success: false, errorType: "connection_error" } });
    expect(JSON.stringify(outcome)).not.toContain("test-key");
    expect(Buffer.concat(heard).toString("latin1")).not.toContain("test-key");
    await expect.poll(server.open).toBe(0);
  },
);
