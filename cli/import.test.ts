import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocument } from "../src/engine/document/read-document.ts";
import { completeExport } from "../src/import/testing/n8n-export.ts";

const script = fileURLToPath(new URL("import.mjs", import.meta.url));
let directory = "";

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: directory }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "switchyard-import-"));
  mkdirSync(join(directory, "exports"));
  writeFileSync(join(directory, "exports", "a.json"), JSON.stringify(completeExport));
  writeFileSync(join(directory, "exports", "b.json"), "no workflow");
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("npm run import", () => {
  it("prints a line of JSON per file and writes the workflows", async () => {
    const { code, stdout } = await run("exports", "--out", "out", "--json");
    expect(code).toBe(1);
    const [first, second] = stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(first).toMatchObject({
      file: "a.json",
      format: "n8n",
      nodes: { total: 15, placeholder: 1 },
      edges: { total: 15 },
      expressions: { unsupported: 0 },
    });
    expect(first).not.toHaveProperty("error");
    expect(second).toMatchObject({ file: "b.json", error: expect.any(String), nodes: { total: 0 }, entries: [] });
    expect(readdirSync(join(directory, "out"))).toEqual(["a.json"]);
    const written: unknown = JSON.parse(readFileSync(join(directory, "out", "a.json"), "utf8"));
    const read = readDocument(written);
    expect(read).toMatchObject({ ok: true, document: { name: "Everything at once" } });
    // In the file they all have the same place.
    const places = read.ok
      ? Object.values(read.document.nodes).map(({ position }) => `${position.x} ${position.y}`)
      : [];
    expect(new Set(places).size).toBe(places.length);
    expect(places.length).toBeGreaterThan(10);
  });

  it("lays a workflow out where its cards would lie on one another, as the studio does", async () => {
    let at = 0;
    const text = JSON.stringify(completeExport, (key, value: unknown) =>
      key === "position" ? [(at += 60), 0] : value,
    );
    writeFileSync(join(directory, "close.json"), text);
    expect((await run("close.json", "--out", "tidied")).code).toBe(0);
    const read = readDocument(JSON.parse(readFileSync(join(directory, "tidied", "close.json"), "utf8")));
    const rows = read.ok ? Object.values(read.document.nodes).map(({ position }) => position.y) : [];
    expect(new Set(rows).size).toBeGreaterThan(2);
  });

  it("prints a summary for people, and says how it is used", async () => {
    const { code, stdout } = await run(join("exports", "a.json"));
    expect(code).toBe(0);
    expect(stdout).toContain("15 nodes");
    expect(stdout).toContain("Command: placeholder");
    expect((await run("--help")).stdout).toContain("npm run --silent import");
    expect(await run("gone.json")).toMatchObject({ code: 1, stdout: "" });
    expect((await run("--nonsense")).code).toBe(2);
  });
});
