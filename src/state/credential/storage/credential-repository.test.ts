import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { newDocument } from "../../../engine/document/new-document.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createCredentialRepository } from "./credential-repository.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../../document/storage/workflow-repository.ts";

const secret = "test-key-canary-0123456789wxyz";

let stack: SharedStack;
let baseUrl = "";
/** Stands for an OpenAI-compatible server: its model list needs the key. */
const models = createServer((request, response) => {
  const known = request.headers.authorization === `Bearer ${secret}`;
  response.writeHead(known ? 200 : 401, { "content-type": "application/json" });
  response.end(JSON.stringify({ object: "list", data: [] }));
});

beforeAll(async () => {
  stack = await sharedTestStack();
  await new Promise<void>((resolve) => models.listen(0, "127.0.0.1", resolve));
  const address = models.address();
  if (address === null || typeof address === "string") throw new Error("The model server has no port.");
  baseUrl = `http://127.0.0.1:${address.port}/v1`;
});
afterAll(async () => {
  models.close();
});

async function newUser() {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  return { credentials: createCredentialRepository(client), workflows: createWorkflowRepository(client) };
}

const openai = (name: string) => ({ name, type: "openai", fields: { apiKey: secret } });

describe("credentials", () => {
  it("S43 are saved, listed and renamed, and the secret never comes back", async () => {
    const { credentials } = await newUser();
    const saved = await credentials.save(openai("Main key"));
    expect(saved).toMatchObject({ type: "openai", lastFour: "wxyz", allowedHosts: ["api.openai.com"] });
    await credentials.rename(saved.id, "Key of the team");
    const list = await credentials.list();
    expect(list.map(({ name }) => name)).toEqual(["Key of the team"]);
    expect(JSON.stringify(list)).not.toContain(secret);
  });

  it("are tested with a real call, and refused with the function's own words", async () => {
    const { credentials } = await newUser();
    const good = await credentials.save({
      name: "Local",
      type: "openai-compatible",
      fields: { baseUrl, apiKey: secret },
    });
    expect(await credentials.test(good.id)).toMatchObject({ ok: true });
    const bad = await credentials.save({
      name: "Bad",
      type: "openai-compatible",
      fields: { baseUrl, apiKey: "test-key" },
    });
    const refused = await credentials.test(bad.id);
    expect(refused.ok).toBe(false);
    expect(refused.message).toContain("401");
    await expect(credentials.save({ name: "x", type: "http-bearer", fields: { token: secret } })).rejects.toMatchObject(
      {
        kind: "invalid",
        message: "The credential lists no allowed host.",
      },
    );
  });

  it("S44 ask for the secret again when it would go elsewhere", async () => {
    const { credentials } = await newUser();
    const saved = await credentials.save(openai("Main key"));
    const moved = credentials.save({
      ...openai("Main key"),
      id: saved.id,
      fields: { baseUrl: "https://evil.example/v1" },
    });
    await expect(moved).rejects.toMatchObject({ kind: "invalid" });
    expect((await credentials.list())[0]?.allowedHosts).toEqual(["api.openai.com"]);
  });

  it("name the workflows that use them, once each", async () => {
    const { credentials, workflows } = await newUser();
    const { id } = await credentials.save(openai("Main key"));
    const document = newDocument(randomUUID(), "Uses it twice");
    for (const nodeId of ["one", "two"]) {
      document.nodes[nodeId] = {
        id: nodeId,
        type: "openai-model",
        version: 1,
        title: nodeId,
        position: { x: 0, y: 0 },
        config: { credential: id },
      };
    }
    await workflows.create(document);
    await workflows.create(newDocument(randomUUID(), "Does not"));
    const uses = await credentials.uses([id]);
    expect([...uses]).toEqual([[id, { workflows: [{ id: document.id, name: "Uses it twice" }], total: 1 }]]);
  });

  it("S37 of someone else cannot be seen, tested, renamed or deleted", async () => {
    const [alice, bob] = await Promise.all([newUser(), newUser()]);
    const { id } = await alice.credentials.save(openai("Of Alice"));
    expect(await bob.credentials.list()).toEqual([]);
    await expect(bob.credentials.test(id)).rejects.toMatchObject({ kind: "invalid" });
    await expect(bob.credentials.rename(id, "Of Bob")).rejects.toMatchObject({ kind: "not-found" });
    await bob.credentials.remove(id);
    expect(await alice.credentials.list()).toHaveLength(1);
    await alice.credentials.remove(id);
    expect(await alice.credentials.list()).toEqual([]);
  });
});
