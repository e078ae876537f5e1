/** Groups that hold no text of the document. */
const unread =
  /^(fonttbl|colortbl|stylesheet|listtable|listoverridetable|rsidtbl|info|pict|object|themedata|datastore|latentstyles|generator|xmlnstbl|header[lrf]?|footer[lrf]?|fldinst|filetbl|revtbl|mmathPr|nonshppict|shpinst)$/;

const characters: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  sect: "\n",
  page: "\n",
  row: "\n",
  tab: "\t",
  cell: " | ",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  emspace: " ",
  enspace: " ",
};

interface Group {
  isRead: boolean;
  /** Characters that stand in for one of Unicode. */
  skip: number;
}

/**
 * The text of a Rich Text document (RTF 1.9.1), without its pictures, fields' codes, headers and footers. Letters are those of its
 * code page, or of Unicode where it names them.
 */
export function readRtf(bytes: Uint8Array): string {
  const rtf = new TextDecoder("latin1").decode(bytes);
  const groups: Group[] = [];
  let group: Group = { isRead: true, skip: 1 };
  const pieces: string[] = [];
  let page = "windows-1252";
  let coded: number[] = [];
  let skipping = 0;

  const endCoded = () => {
    if (coded.length > 0) pieces.push(new TextDecoder(page).decode(new Uint8Array(coded)));
    coded = [];
  };
  const add = (text: string) => {
    endCoded();
    if (group.isRead) pieces.push(text);
  };
  const tokens = /\\([a-z]+)(-?\d+)? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;
  for (const [, word, number, hex, symbol, brace, text] of rtf.matchAll(tokens)) {
    if (hex !== undefined) {
      if (skipping > 0) skipping -= 1;
      else if (group.isRead) coded.push(Number.parseInt(hex, 16));
    } else if (brace === "{") {
      endCoded();
      groups.push(group);
      group = { ...group };
    } else if (brace === "}") {
      endCoded();
      group = groups.pop() ?? group;
      skipping = 0;
    } else if (word !== undefined) {
      const value = Number(number ?? 0);
      if (unread.test(word)) group.isRead = false;
      else if (word === "ansicpg") page = pageOf(value);
      else if (word === "uc") group.skip = Math.min(Math.max(value, 0), 8);
      else if (word === "u") {
        add(String.fromCharCode(value & 0xffff));
        skipping = group.skip;
      } else if (Object.hasOwn(characters, word)) add(characters[word] ?? "");
    } else if (symbol !== undefined) {
      if (symbol === "*") group.isRead = false;
      else if (/[\\{}]/.test(symbol)) add(symbol);
      else if (symbol === "~") add("\u00a0");
      else if (symbol === "_") add("-");
      else if (/[\r\n]/.test(symbol)) add("\n");
    } else if (text !== undefined) {
      const shown = text.slice(skipping);
      skipping = Math.max(0, skipping - text.length);
      add(shown);
    }
  }
  endCoded();
  return pieces
    .join("")
    .replace(/ \| \n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The name of a code page of Windows as `TextDecoder` knows it. */
function pageOf(number: number): string {
  const names: Readonly<Record<number, string>> = {
    932: "shift_jis",
    936: "gbk",
    949: "euc-kr",
    950: "big5",
    65001: "utf-8",
  };
  const name = names[number] ?? `windows-${number}`;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return "windows-1252";
  }
}
