import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createTestClient, signUp } from "../../supabase/local/testing/clients.ts";
import { sharedTestStack } from "../../supabase/local/testing/shared-stack.ts";
import { newDocument } from "../engine/document/new-document.ts";
import { createAuthorizedFetch } from "./authorized-fetch.ts";
import { createWorkflowReads, plainWorkflowRequests } from "./workflow-reads.ts";
import { createWorkflowRepository } from "./workflow-repository.ts";

const stack = await sharedTestStack();

const backend = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };

function plainReads(token: string | null, send: typeof fetch = fetch) {
  const sendToBackend = createAuthorizedFetch(backend, async () => token, send);
  return createWorkflowReads(plainWorkflowRequests((path, init) => sendToBackend(`/rest/v1${path}`, init)));
}

test("a workflow and a list are the same by plain requests as by supabase-js", async () => {
  const { client, accessToken } = await signUp(stack);
  const repository = createWorkflowRepository({ database: client });
  const reads = plainReads(accessToken);
  for (const name of ["One & two", "Three"]) await repository.create(newDocument(randomUUID(), name));
  const request = { search: "one", order: "name", limit: 10 } as const;
  const page = await reads.page(request);
  expect(page).toEqual(await repository.page(request));
  expect(page.rows.map(({ name }) => name)).toEqual(["One & two"]);
  const id = page.rows[0]?.id ?? "";
  expect(await reads.get(id)).toEqual(await repository.get(id));
});

test("what cannot be read fails in the same words", async () => {
  const { client, accessToken } = await signUp(stack);
  const repository = createWorkflowRepository({ database: client });
  const words = (attempt: Promise<unknown>) => attempt.catch((error: Error) => error.message);
  for (const id of [randomUUID(), "no id", 'a"),(b&select=*']) {
    const message = await words(plainReads(accessToken).get(id));
    expect(message).toMatch(/not exist/);
    expect(await words(repository.get(id))).toBe(message);
  }
  const offline = () => Promise.reject(new TypeError("Failed to fetch"));
  expect(await words(plainReads(accessToken, offline).get("a"))).toBe("The server cannot be reached.");
  const stranger = createWorkflowRepository({ database: createTestClient(stack) });
  const request = { order: "name", limit: 10 } as const;
  const refused = await words(plainReads(null).page(request));
  expect(refused).toBe(await words(stranger.page(request)));
  expect(refused).toBe("Your session has expired.");
});
