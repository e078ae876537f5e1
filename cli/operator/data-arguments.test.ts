import { resolve } from "node:path";
import { expect, test } from "vitest";
import { parseDataArguments } from "./data-arguments.ts";

const url = "postgres://studio:test-key@localhost/studio";

test("places are directories, addresses, or the address of the environment", () => {
  expect(parseDataArguments(["copy", "--from", "mine", "--to", url, "--data", "keys"], {})).toEqual({
    verb: "copy",
    from: resolve("mine"),
    to: url,
    data: resolve("keys"),
  });
  const environment = { STUDIO_DATABASE_URL: url };
  expect(parseDataArguments(["copy", "--from=database", "--to=/backup"], environment)).toEqual({
    verb: "copy",
    from: url,
    to: "/backup",
    data: undefined,
  });
  expect(parseDataArguments(["--help"], {})).toBeNull();
  expect(parseDataArguments(["backup", "kept", "--with-keys"], environment)).toEqual({
    verb: "backup",
    folder: resolve("kept"),
    withKeys: true,
    data: undefined,
    database: url,
  });
  expect(parseDataArguments(["restore", "kept", "--to", "new", "--keys", "keys.json"], {})).toEqual({
    verb: "restore",
    folder: resolve("kept"),
    to: resolve("new"),
    keys: resolve("keys.json"),
    compare: undefined,
    data: undefined,
    database: undefined,
  });
});

test.each([
  [[], "Nothing was asked for."],
  [["move"], "There is no move."],
  [["copy", "--to", "a"], "--from is missing."],
  [["copy", "--from", "a", "--to", "a"], "--from and --to are the same."],
  [["copy", "--from", "database", "--to", "a"], "STUDIO_DATABASE_URL, which is not set"],
  [["copy", "--nope"], "--nope"],
  [["backup"], "backup needs a folder."],
  [["verify", "a", "b"], "verify does not know what to do with b."],
  [["verify", "a", "--with-keys"], "verify takes no --with-keys."],
  [["restore", "a"], "--to is missing."],
])("%j is refused with a reason and what to do", (args, message) => {
  expect(() => parseDataArguments(args, {})).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\S/),
      exitCode: 2,
    }),
  );
});
