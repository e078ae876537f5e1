import { afterEach, expect, test, vi } from "vitest";
import { parseSql, ParserError } from "./parse-sql.ts";
import { Rejection } from "./rejection.ts";
import { sqlProblem } from "./sql-problem.ts";

afterEach(() => {
  vi.doUnmock("libpg-query");
  vi.resetModules();
});

test("a mistake in the SQL is a rejection with its place", async () => {
  const failed = parseSql("select from where");
  await expect(failed).rejects.toBeInstanceOf(Rejection);
  await expect(failed).rejects.toMatchObject({ problem: { errorType: "syntax_error" } });
  await expect(failed).rejects.toThrow("at character 13");
});

test("a parser that does not load is no mistake in the SQL", async () => {
  vi.doMock("libpg-query", () => ({
    parse: () => Promise.reject(new WebAssembly.CompileError("the module does not compile")),
  }));
  vi.resetModules();
  const fresh = await import("./parse-sql.ts");
  await expect(fresh.parseSql("select 1")).rejects.toBeInstanceOf(fresh.ParserError);
});

test("which is nothing that a model could write in another way", () => {
  expect(sqlProblem(new ParserError("The parser of SQL did not run."), true)).toBeUndefined();
});

test("statements come with their own text", async () => {
  const [first, second, ...more] = await parseSql("/* é */ select 'ü' ; select 2;");
  expect(first?.text.trim()).toContain("select 'ü'");
  expect(first?.text).not.toContain(";");
  expect(second?.text.trim()).toBe("select 2");
  expect(more).toEqual([]);
});
