import { expect, test } from "vitest";
import { chatDoorConfig } from "../../../doors/chat-door.ts";
import { draftOf, readDraft } from "./chat-draft.ts";

const usual = draftOf(chatDoorConfig.parse({}));

test("what is stored is read back as it was", () => {
  const config = chatDoorConfig.parse({
    questions: ["One?", "Two?"],
    sites: ["https://shop.test"],
    perDay: 5,
    networkPerDay: 9,
  });
  expect(readDraft(draftOf(config))).toEqual({ ok: true, config });
});

test("a site is its origin, empty lines and empty numbers are left out", () => {
  const read = readDraft({ ...usual, sites: "\nhttps://shop.test/path?x\n", questions: " One? \n\n", perDay: "" });
  expect(read).toMatchObject({ ok: true, config: { sites: ["https://shop.test"], questions: ["One?"], perDay: 1000 } });
});

test.each([
  [{ sites: "shop.test" }, "sites"],
  [{ sites: "javascript:alert(1)" }, "sites"],
  [{ questions: "1\n2\n3\n4\n5" }, "questions"],
  [{ accent: { light: "red", dark: "" } }, "accent"],
  [{ perDay: "0" }, "perDay"],
  [{ perMinute: "many" }, "perMinute"],
  [{ visitorPerDay: "0" }, "visitorPerDay"],
  [{ visitorMbPerDay: "0.5" }, "visitorMbPerDay"],
  [{ picture: "https://evil.test/pixel.png" }, "picture"],
])("%j says what is wrong", (change, field) => {
  expect(readDraft({ ...usual, ...change })).toMatchObject({ ok: false, problems: { [field]: expect.any(String) } });
});
