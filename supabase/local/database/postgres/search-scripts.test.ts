import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptSamples } from "../../../../src/state/knowledge/storage/testing/script-samples.ts";
import { type PostgresServer, startPostgresServer } from "../../../functions/_shared/testing/postgres-server.ts";
import { bringUpToDate } from "./open-server.ts";
import { readServerAddress } from "./server-address.ts";
import { makeTestKeys } from "./testing/test-keys.ts";
import { addVectors } from "./testing/vector-stand-in.ts";

const migrations = fileURLToPath(new URL("../../../migrations/", import.meta.url));
const owner = randomUUID();
let server: PostgresServer;
let sql: postgres.Sql;

beforeAll(async () => {
  server = await startPostgresServer({ locale: "C.UTF-8" });
  await addVectors(server);
  const keys = makeTestKeys();
  await bringUpToDate(readServerAddress(server.url), { migrations, siteUrl: "http://127.0.0.1", keys, keysPath: "" });
  sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  await sql`insert into auth.users (id) values (${owner})`;
});

afterAll(async () => {
  await sql?.end({ timeout: 1 });
  await server?.stop();
});

test("a PostgreSQL server finds words of every script and guesses the languages, as the embedded one does", async () => {
  await sql.begin(async (transaction) => {
    await transaction`select set_config('request.jwt.claim.sub', ${owner}, true)`;
    await transaction.unsafe("set local role authenticated");
    for (const [name, { language, texts, questions }] of Object.entries(scriptSamples)) {
      const id = randomUUID();
      await transaction`insert into public.studio_knowledge_collections (id, name) values (${id}, ${name})`;
      for (const text of texts) {
        const [document] = await transaction`
          insert into public.studio_knowledge_documents (collection_id, name, kind, content_hash, sections)
          values (${id}, 'text', 'text', ${text}, ${transaction.json([{ headings: [], text }])}) returning id, language`;
        expect(document?.["language"], `${name}: ${text}`).toBe(language);
        await transaction`
          insert into public.studio_knowledge_chunks (collection_id, document_id, "position", content, content_hash)
          values (${id}, ${document?.["id"]}, 0, ${text}, 'text')`;
      }
      for (const [number, asked] of questions.entries()) {
        for (const question of asked) {
          const [found] = await transaction`
            select content from public.studio_search_knowledge(${id}, ${question}, null, 'keyword', 1, 0, null)`;
          expect(found?.["content"], `${name}: ${question}`).toBe(texts[number]);
        }
      }
    }
  });
});
