import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { credentialTypes } from "../src/engine/credentials/credential-types.ts";
import { runErrorCodes } from "../src/engine/errors.ts";
import { templates } from "../src/features/library/templates/index.ts";
import { readConnector } from "../src/nodes/connectors/connector.ts";
import { connectors } from "../src/nodes/connectors/index.ts";
import { nodeTypes } from "../src/nodes/index.ts";
import { anchor } from "./reference/markdown.ts";
import { referenceFolder, referencePages } from "./reference/pages.ts";

const read = (path: string) => readFileSync(path, "utf8");

/** Every page that people read, from the root of the repository. */
const pages = ["README.md", "CONTRIBUTING.md", ...markdownIn("docs")];

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return markdownIn(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

/** The text without blocks of code, in which nothing is a link or a heading. */
const prose = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

function headingsOf(text: string): string[] {
  const headings = [...prose(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) => anchor(heading.replace(/[`*\\]/g, "")));
}

describe("the reference", () => {
  it.each(referencePages())("$file says what the code says; npm run docs writes it anew", ({ file, text }) => {
    expect(read(`${referenceFolder}/${file}`).replaceAll("\r\n", "\n")).toBe(text);
  });

  it("has no page that nothing makes", () => {
    expect(readdirSync(referenceFolder).toSorted()).toEqual(
      referencePages()
        .map(({ file }) => file)
        .toSorted(),
    );
  });

  const named: [string, string, readonly string[]][] = [
    ["node", "nodes.md", nodeTypes.map(({ type }) => `: \`${type}\`\n`)],
    ["error of a run", "errors.md", runErrorCodes.map((code) => `| \`${code}\` |`)],
    ["type of credential", "credentials.md", Object.keys(credentialTypes).map((type) => `: \`${type}\`\n`)],
    ["connector", "connectors.md", connectors.map(({ title }) => `## ${title}\n`)],
    ["template", "templates.md", templates.map(({ title }) => `| ${title} |`)],
  ];

  it.each(named)("has every %s", (_, file, names) => {
    const text = read(`${referenceFolder}/${file}`);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
  });
});

describe("the documentation", () => {
  it("shows a connector that can be read", () => {
    const example = /^```json\n([\s\S]*?)^```/m.exec(read("docs/add-a-connector.md"))?.[1] ?? "";
    expect(readConnector("shop.json", JSON.parse(example)).operations).toHaveLength(1);
  });

  it.each(pages)("%s links to files and headings that exist", (page) => {
    const links = [...prose(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const broken = links.filter((link) => {
      if (/^(https?|mailto):/.test(link)) return false;
      const [path = "", heading] = link.split("#");
      const target = path === "" ? page : normalize(join(dirname(page), path)).replaceAll("\\", "/");
      if (!existsSync(target)) return true;
      return heading !== undefined && !headingsOf(read(target)).includes(heading);
    });
    expect(broken).toEqual([]);
  });

  it("has every page in its index", () => {
    const index = read("docs/README.md");
    const others = markdownIn("docs").map((path) => path.slice("docs/".length));
    expect(others.filter((path) => path !== "README.md" && !index.includes(`](${path})`))).toEqual([]);
  });

  it.each(pages)("%s names only files and folders that exist", (page) => {
    const named = [...prose(read(page)).matchAll(/`((?:src|supabase|scripts|worker|e2e|bench|docs)\/[\w./-]+)`/g)];
    expect(named.map(([, path = ""]) => path).filter((path) => !existsSync(path))).toEqual([]);
  });
});
