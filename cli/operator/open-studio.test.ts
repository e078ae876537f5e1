import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newGuestAccount } from "../../src/state/account/storage/guest-account.ts";
import { createTestClient, type SignedIn, signUp } from "../../supabase/local/testing/clients.ts";
import { plant } from "../../supabase/local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../../supabase/local/testing/start-stack.ts";
import { openStudio } from "./open-studio.ts";

let stack: TestStack;
let guestId: string;
let person: SignedIn;

beforeAll(async () => {
  stack = await startTestStack();
  const guest = await createTestClient(stack).auth.signUp(newGuestAccount());
  guestId = String(guest.data.user?.id);
  person = await signUp(stack);
});
afterAll(() => stack.stop());

it("lists the accounts, people before guests", async () => {
  const studio = await openStudio(stack.dataDir);
  expect(await studio.accounts()).toEqual([
    { id: person.userId, email: person.email, guest: false },
    { id: guestId, email: expect.stringContaining("guest-"), guest: true },
  ]);
});

it("acts with the rights of an account, and knows whose a published workflow is", async () => {
  const workflow = await plant(stack, "studio_workflows", person);
  await plant(stack, "studio_publications", person, { workflow_id: workflow["id"], slug: "answers" });
  const studio = await openStudio(stack.dataDir);
  expect(await studio.ownerOf("answers")).toBe(person.userId);
  expect(await studio.ownerOf("nothing")).toBeNull();
  const rows = (id: string) => studio.actingAs(id).from("studio_workflows").select("id");
  expect((await rows(person.userId)).data).toEqual([{ id: workflow["id"] }]);
  expect((await rows(guestId)).data).toEqual([]);
});

it("lists accounts for nobody else", async () => {
  const { error } = await person.client.rpc("studio_accounts");
  expect(error?.code).toBe("42501");
});

it("says that no studio runs in a directory", async () => {
  const empty = await mkdtemp(join(tmpdir(), "switchyard-none-"));
  await expect(openStudio(empty)).rejects.toMatchObject({ message: expect.stringContaining(empty) });
  await rm(empty, { recursive: true });
});
