import { expect, test } from "vitest";
import { parseDoctorArguments } from "./doctor-arguments.ts";
import { describeFinding } from "./finding.ts";

const url = "https://abc.supabase.co";
const database = "postgres://studio:test-key@localhost/studio";

test("a project, a database or both are named, with secrets in the environment", () => {
  expect(
    parseDoctorArguments(["--url", `${url}/`, "--key", "test-key", "--site", "https://a.example/studio/"], {}),
  ).toEqual({ project: { url, key: "test-key" }, site: "https://a.example/studio" });
  const environment = { SUPABASE_KEY: "test-key", STUDIO_DATABASE_URL: database, SUPABASE_JWT_KEY: "test-key-jwk" };
  expect(parseDoctorArguments(["--url", url, "--database-url", "database"], environment)).toEqual({
    project: { url, key: "test-key" },
    database,
    signingKey: "test-key-jwk",
  });
  expect(parseDoctorArguments(["--help"], {})).toBeNull();
});

test.each([
  [[], "Neither --url nor --database-url"],
  [["project"], "Nothing is called project."],
  [["--url", url], "--key is missing."],
  [["--url", "abc", "--key", "k"], "--url takes an address"],
  [["--site", url, "--database-url", database], "--site goes with the project"],
  [["--database-url", "localhost"], "--database-url takes an address such as postgres://"],
  [["--database-url", "database"], "STUDIO_DATABASE_URL, which is not set"],
  [["--nope"], "--nope"],
])("%j is refused with a reason and what to do", (args, message) => {
  expect(() => parseDoctorArguments(args, {})).toThrow(
    expect.objectContaining({ message: expect.stringContaining(message), hint: expect.any(String), exitCode: 2 }),
  );
});

test("what to do stands under what is missing", () => {
  expect(describeFinding({ state: "missing", what: "It is gone.", how: "One.\nTwo." })).toBe(
    "MISSING It is gone.\n        One.\n        Two.",
  );
  expect(describeFinding({ state: "ok", what: "It is there." })).toBe("ok      It is there.");
});
