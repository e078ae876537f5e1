import { expect, test } from "vitest";
import { takeText } from "./take-text.ts";
import { currentToasts } from "../feedback/toast-store.ts";

test("hands over the text of a file", async () => {
  const taken: string[] = [];
  await takeText(new File(["{}"], "flow.json"), (text) => taken.push(text));
  expect(taken).toEqual(["{}"]);
});

test("says which file cannot be read, and what to do", async () => {
  const folder = { name: "flows", type: "", arrayBuffer: () => Promise.reject(new DOMException("", "NotFoundError")) };
  await takeText(folder, () => expect.unreachable());
  expect(currentToasts().at(-1)).toMatchObject({ message: "“flows” could not be read.", tone: "error" });
  expect(currentToasts().at(-1)?.hint).toContain("choose a file in it");
  await takeText({ ...folder, name: "a\u202egnp.exe" }, () => expect.unreachable());
  expect(currentToasts().at(-1)?.message).toBe("“a\ufffdgnp.exe” could not be read.");
});
