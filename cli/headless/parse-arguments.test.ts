import { describe, expect, it } from "vitest";
import { CommandFailure } from "./command-failure.ts";
import { parseArguments } from "./parse-arguments.ts";
import { readInput, readVariables, userPath } from "./read-file.ts";

describe("the headless command line", () => {
  it("is read with its defaults", () => {
    expect(parseArguments(["a.json"])).toEqual({
      workflow: "a.json",
      input: "{}",
      events: false,
      allowHosts: [],
      knowledge: [],
      approve: false,
      repeat: false,
      pins: false,
      otelContent: false,
    });
    expect(parseArguments(["--allow-host", "a:1", "a.json", "--allow-host", "b:2", "--events"])).toMatchObject({
      allowHosts: ["a:1", "b:2"],
      events: true,
    });
    expect(parseArguments(["--help"])).toBeNull();
  });

  it("is refused with exit code 2 when it makes no sense", () => {
    for (const argv of [
      [],
      ["a.json", "b.json"],
      ["a.json", "--nonsense"],
      ["a.json", "--until", "call-1"],
      ["a.json", "--repeat"],
      ["a.json", "--input"],
    ]) {
      expect(() => parseArguments(argv)).toThrow(CommandFailure);
    }
  });

  it("takes no input that is not JSON", async () => {
    expect(await readInput('{"a":1}')).toEqual({ a: 1 });
    await expect(readInput("{")).rejects.toMatchObject({ exitCode: 2 });
  });

  it("takes variables as a JSON object only", async () => {
    expect(parseArguments(["a.json", "--vars", "{}"])).toMatchObject({ vars: "{}" });
    expect(await readVariables('{"city":"Oslo"}')).toEqual({ city: "Oslo" });
    for (const wrong of ["[1]", "city=Oslo"]) await expect(readVariables(wrong)).rejects.toMatchObject({ exitCode: 2 });
  });

  it("reads paths from where the user stands, also under npm", () => {
    expect(userPath("a.json", { npm_lifecycle_event: "workflow", INIT_CWD: "/home/someone" })).toBe(
      "/home/someone/a.json",
    );
    expect(userPath("a.json", { npm_lifecycle_event: "test", INIT_CWD: "/home/someone" })).not.toContain("someone");
  });
});
