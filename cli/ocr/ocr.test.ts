import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { installedIn } from "../../worker/runtime/scans-in-node.ts";
import { parseOcrArguments } from "./arguments.ts";
import { copyScanFiles } from "./copy-scan-files.ts";
import { corePackage, languagePackage } from "./scan-packages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "switchyard-ocr-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("npm run ocr", () => {
  it("takes languages and a folder as it was typed", () => {
    const environment = { npm_lifecycle_event: "ocr", INIT_CWD: "/home/ada" };
    expect(parseOcrArguments(["install", "german", "chinese", "--to", "dist/ocr"], environment)).toEqual({
      languages: ["german", "chinese"],
      folder: "/home/ada/dist/ocr",
    });
    expect(parseOcrArguments(["list", "--to", "/x"])).toEqual({ languages: [], folder: "/x" });
    expect(parseOcrArguments(["--help"])).toBeNull();
  });

  it.each([
    [[], "No command was given."],
    [["remove"], "There is no command remove."],
    [["install"], "No language was given."],
    [["install", "klingon"], "There is no language klingon."],
    [["list", "german"], "Unexpected extra argument: german"],
  ])("refuses %j", (argv, message) => {
    expect(() => parseOcrArguments(argv)).toThrow(message);
  });

  it("adds languages to those that are installed", async () => {
    await writeFile(join(folder, "installed.json"), JSON.stringify({ languages: ["german", "elvish"] }));
    await copyScanFiles(join(root, "node_modules"), folder, ["english"]);
    expect(await installedIn(folder)).toEqual(["english", "german"]);
  });

  it("says where it cannot install", async () => {
    await expect(copyScanFiles(join(folder, "none"), folder, ["english"])).rejects.toThrow(
      `Text recognition could not be put into ${folder}:`,
    );
    await writeFile(join(folder, "installed.json"), "not JSON");
    expect(await installedIn(folder)).toEqual([]);
  });

  it("installs the packages that the tests are run with", async () => {
    const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
    for (const { name, version, integrity } of [corePackage, languagePackage("english")]) {
      expect(packages[`node_modules/${name}`]).toMatchObject({ version, integrity });
    }
  });
});
