import { expect, it } from "vitest";
import { testHost } from "../../engine/testing/test-host.ts";
import { sharedClients } from "./shared-client.ts";

it("makes one client per host and key, also when two ask at once or the first making fails", async () => {
  const shared = sharedClients<object>();
  const [one, other] = [testHost(), testHost()];
  const make = () => Promise.resolve({});
  await expect(shared(one, "a", () => Promise.reject(new Error("offline")))).rejects.toThrow("offline");
  const [first, second] = await Promise.all([shared(one, "a", make), shared(one, "a", make)]);
  expect(second).toBe(first);
  expect(await shared(one, "a", make)).toBe(first);
  expect(await shared(one, "b", make)).not.toBe(first);
  expect(await shared(other, "a", make)).not.toBe(first);
});
