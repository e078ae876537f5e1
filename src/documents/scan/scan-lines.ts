/** A line of text on a picture. */
export interface ScanLine {
  text: string;
  /** Of its tallest word, in pixels. */
  height: number;
  /** Whether a paragraph ends with it. */
  endsParagraph: boolean;
}

interface Word {
  /** Which line of which paragraph it belongs to. */
  line: string;
  paragraph: string;
  height: number;
  confidence: number;
  text: string;
}

/** Percent below which a line is taken for dirt, a drawing or a photo. */
const minConfidence = 30;

/** Letters of scripts that are written without spaces, and their punctuation. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFF65]/u;

/** The lines of a page from Tesseract's table of its words (TSV), in reading order. */
export function scanLines(table: string): ScanLine[] {
  const lines: Word[][] = [];
  for (const word of table.split("\n").flatMap(wordOf)) {
    const open = lines.at(-1);
    if (open?.[0]?.line === word.line) open.push(word);
    else lines.push([word]);
  }
  const kept = lines.filter((words) => mean(words.map(({ confidence }) => confidence)) >= minConfidence);
  return kept.map((words, index) => ({
    text: joined(words.map(({ text }) => text)),
    height: Math.max(...words.map(({ height }) => height)),
    endsParagraph: kept[index + 1]?.[0]?.paragraph !== words[0]?.paragraph,
  }));
}

/** Lines as text: paragraphs with an empty line between them. */
export function scanText(lines: readonly ScanLine[]): string {
  return lines
    .map(({ text, endsParagraph }) => (endsParagraph ? `${text}\n\n` : `${text}\n`))
    .join("")
    .trim();
}

function wordOf(row: string): Word[] {
  // level, page, block, paragraph, line, word, left, top, width, height, confidence, text
  const cells = row.split("\t");
  const text = cells.slice(11).join(" ").trim();
  if (cells[0] !== "5" || text === "") return [];
  const paragraph = cells.slice(1, 4).join(".");
  return [
    { line: `${paragraph}.${cells[4]}`, paragraph, height: Number(cells[9]), confidence: Number(cells[10]), text },
  ];
}

function joined(words: readonly string[]): string {
  let text = "";
  for (const word of words) {
    const isSpaced = text !== "" && !(unspaced.test(lastOf(text)) && unspaced.test(firstOf(word)));
    text += isSpaced ? ` ${word}` : word;
  }
  return text;
}

const firstOf = (text: string) => [...text][0] ?? "";
const lastOf = (text: string) => [...text].at(-1) ?? "";
const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
