import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyScanFiles } from "../cli/ocr/copy-scan-files.ts";
import type { NpmPackage } from "../cli/ocr/scan-packages.ts";
import { withPackages } from "../cli/ocr/with-packages.ts";
import { makePdf } from "../src/documents/make/make-pdf.ts";
import { isScanLanguage, type ScanLanguage, scanLanguages } from "../src/documents/scan/scan-languages.ts";
import { scanText } from "../src/documents/scan/scan-lines.ts";
import { type GreyPage, pgmOf, scanPages, wornPage } from "../src/documents/testing/make-scan.ts";
import { loadRecognizer } from "../worker/runtime/scans-in-node.ts";
import { chinesePage } from "./ocr/chinese-page.ts";
import { texts } from "./ocr/texts.ts";
import type { Bench, Row } from "./measure.ts";

const all = Object.keys(scanLanguages).filter(isScanLanguage);

const chineseFont: NpmPackage & { file: string } = {
  name: "@expo-google-fonts/noto-sans-sc",
  version: "0.4.3",
  integrity: "sha512-9rAwdFTFHbO/u6Cs0gj2jZbW74TGIiaFNQnXYH2s5wA1bzVkwbaviL4t8YUV642eGYjg86eH6DkAEQmfNHDncQ==",
  file: "400Regular/NotoSansSC_400Regular.ttf",
};

const wear = { degrees: 0.5, noise: 25 };
/** Percent of the characters. */
const mostWrong = 2;

async function pageIn(language: ScanLanguage, font: string): Promise<GreyPage> {
  const text = texts[language];
  if (language === "chinese") return wornPage(chinesePage(text, font), wear);
  const [page] = await scanPages((await makePdf(text, language)).bytes, wear);
  if (!page) throw new Error("Nothing was drawn.");
  return page;
}

/** Percent of characters that are wrong, missing or too many; how lines are broken does not count, nor spaces in Chinese. */
function wrongShare(language: ScanLanguage, read: string): number {
  const plain = (text: string) => text.replace(/\s+/g, language === "chinese" ? "" : " ").trim();
  const expected = [...plain(texts[language])];
  // The number at the foot of the page.
  const found = [...plain(read.replace(/\s1 ?\/ ?1\s*$/, ""))];
  return (100 * distance(expected, found)) / expected.length;
}

/** Levenshtein's distance. */
function distance(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, index) => index + 1);
  a.forEach((letter, index) => {
    let corner = index;
    let left = index + 1;
    row = row.map((above, at) => {
      left = Math.min(above + 1, left + 1, corner + (letter === b[at] ? 0 : 1));
      corner = above;
      return left;
    });
  });
  return row.at(-1) ?? a.length;
}

async function measure(folder: string, font: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const installed of ["alone", "with all five"] as const) {
    for (const language of all) {
      const recognize = await loadRecognizer(folder, installed === "alone" ? [language] : all);
      const bytes = pgmOf(await pageIn(language, font));
      const before = process.cpuUsage();
      const read = scanText(recognize({ bytes, orientation: 1, dpi: 200 }));
      const { user, system } = process.cpuUsage(before);
      const value = wrongShare(language, read);
      const { label } = scanLanguages[language];
      const name = `wrong characters, ${label} ${installed} (${[...texts[language]].length} characters)`;
      rows.push({ name, value, unit: "%", goal: `≤ ${mostWrong} %`, met: value <= mostWrong });
      const seconds = (user + system) / 1e6;
      rows.push({
        name: "  processor time of the page",
        value: seconds,
        unit: "s",
        goal: "≤ 20 s",
        met: seconds <= 20,
      });
    }
  }
  return rows;
}

/** Scans that are made here, at 200 dpi, half a degree askew and with noise, read by text recognition as it is installed. */
export const ocrBench: Bench = {
  id: "ocr",
  title: "Text recognition of scans",
  onlyWhenNamed: true,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "switchyard-ocr-bench-"));
    let rows: Row[] = [];
    try {
      await withPackages(
        all,
        async (packages) => {
          await copyScanFiles(packages, folder, all);
          rows = await measure(folder, join(packages, chineseFont.name, chineseFont.file));
        },
        [chineseFont],
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return rows;
  },
};
