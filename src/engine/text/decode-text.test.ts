import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";

const words = "Grüße aus Köln — „Straße“ à 5 €\n";

/** Texts in older encodings, with their bytes in hexadecimal, as Python's codecs write them. */
const samples: readonly (readonly [encoding: string, text: string, bytes: string])[] = [
  ["gb18030", "退货政策", "cdcbbbf5d5feb2df"],
  [
    "gb18030",
    "未开封的商品可以在三十天内退货，运费由我们承担。",
    "ceb4bfaab7e2b5c4c9ccc6b7bfc9d2d4d4dac8fdcaaeccecc4dacdcbbbf5a3acd4cbb7d1d3c9ced2c3c7b3d0b5a3a1a3",
  ],
  ["gb18030", "姓名,城市\n张三,北京\n李四,上海\n", "d0d5c3fb2cb3c7cad00ad5c5c8fd2cb1b1bea90ac0eecbc42cc9cfbaa30a"],
  ["shift_jis", "返品できますか", "95d4956982c582ab82dc82b782a9"],
  [
    "shift_jis",
    "未開封の商品は三十日以内であれば返品できます。",
    "96a28a4a959582cc8fa4956982cd8e4f8f5c93fa88c893e082c582a082ea82ce95d4956982c582ab82dc82b78142",
  ],
  ["shift_jis", "名前,都市\n田中,東京\n", "96bc914f2c93738e730a936392862c938c8b9e0a"],
  ["shift_jis", "ﾃｽﾄﾃﾞｰﾀ", "c3bdc4c3deb0c0"],
  [
    "euc-jp",
    "未開封の商品は三十日以内であれば返品できます。",
    "cca4b3abc9f5a4cebea6c9caa4cfbbb0bdbdc6fcb0cac6e2a4c7a4a2a4eca4d0cad6c9caa4c7a4ada4dea4b9a1a3",
  ],
  ["euc-kr", "반품", "b9ddc7b0"],
  [
    "euc-kr",
    "개봉하지 않은 상품은 삼십일 이내에 반품할 수 있습니다.",
    "b0b3bac0c7cfc1f620becac0ba20bbf3c7b0c0ba20bbefbdcac0cf20c0ccb3bbbfa120b9ddc7b0c7d220bcf620c0d6bdc0b4cfb4d92e",
  ],
  ["euc-kr", "이름,도시\n김철수,서울\n", "c0ccb8a72cb5b5bdc30ab1e8c3b6bcf62cbcadbfef0a"],
  ["big5", "退貨", "b068b366"],
  [
    "big5",
    "未開封的商品可以在三十天內退貨，運費由我們承擔。",
    "a5bcb67dabcaaabab0d3ab7ea569a548a662a454a451a4d1a4bab068b366a141b942b64fa5d1a7daadcca9d3bee1a143",
  ],
  ["windows-1251", "Возврат", "c2eee7e2f0e0f2"],
  ["windows-1251", "Имя,Город\nИван,Москва\n", "c8ecff2cc3eef0eee40ac8e2e0ed2ccceef1eae2e00a"],
  ["windows-1251", "ЗАКАЗ", "c7c0cac0c7"],
  [
    "windows-1252",
    "Grüße aus Köln — „Straße“ à 5 €\n",
    "4772fcdf6520617573204bf66c6e2097208453747261df659320e0203520800a",
  ],
  ["windows-1252", "Müller,Köln\n", "4dfc6c6c65722c4bf66c6e0a"],
  ["windows-1252", "l’été, 25 °C ± 2", "6c92e974e92c20323520b04320b12032"],
  ["windows-1252", "MÜLLER GMBH KÖLN", "4ddc4c4c455220474d4248204bd64c4e"],
  ["windows-1252", "señor ¿qué?", "7365f16f7220bf7175e93f"],
  [
    "windows-1250",
    "Pieniądze wracają na kartę, którą zapłacono",
    "5069656e69b9647a652077726163616ab9206e61206b617274ea2c206b74f372b9207a6170b361636f6e6f",
  ],
  ["windows-1253", "Οι επιστροφές γίνονται δεκτές", "cfe920e5f0e9f3f4f1eff6ddf220e3dfedefedf4e1e920e4e5eaf4ddf2"],
  [
    "windows-1255",
    "ניתן להחזיר מוצרים תוך שלושים יום",
    "f0e9faef20ece4e7e6e9f820eee5f6f8e9ed20fae5ea20f9ece5f9e9ed20e9e5ed",
  ],
  [
    "windows-1256",
    "يمكن إرجاع المنتجات خلال ثلاثين يوما",
    "ede3dfe420c5d1ccc7da20c7e1e3e4caccc7ca20cee1c7e120cbe1c7cbede420ede6e3c7",
  ],
  ["windows-874", "คืนได้ภายในสามสิบวัน", "a4d7b9e4b4e9c0d2c2e3b9cad2c1cad4bac7d1b9"],
];

const utf8 = (text: string) => new TextEncoder().encode(text);
const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

function utf16(text: string, { big = false, mark = true } = {}): Uint8Array {
  const view = new DataView(new ArrayBuffer((text.length + 1) * 2));
  view.setUint16(0, 0xfeff, !big);
  text.split("").forEach((letter, index) => view.setUint16((index + 1) * 2, letter.charCodeAt(0), !big));
  return new Uint8Array(view.buffer).slice(mark ? 0 : 2);
}

const chinese = "姓名,城市\n张三,北京\n一一,上海\n";

describe("an encoding that nothing names", () => {
  it.each<[string, Uint8Array, string]>([
    ["UTF-8", utf8(words), words],
    ["UTF-8 with a mark", joined(new Uint8Array([0xef, 0xbb, 0xbf]), utf8(words)), words],
    ["UTF-16, little end first, with a mark", utf16(words), words],
    ["UTF-16, big end first, with a mark", utf16(words, { big: true }), words],
    ["UTF-16, little end first, without a mark", utf16(words, { mark: false }), words],
    ["UTF-16, big end first, without a mark", utf16(words, { big: true, mark: false }), words],
    ["UTF-16 of Chinese, little end first", utf16(chinese, { mark: false }), chinese],
    ["UTF-16 of Chinese, big end first", utf16(chinese, { big: true, mark: false }), chinese],
    ["UTF-8 with a broken letter", joined(utf8(words), new Uint8Array([0xc3])), `${words}\uFFFD`],
    ["nothing", new Uint8Array(), ""],
  ])("reads %s", (_name, bytes, text) => {
    expect(decodeText(bytes)).toBe(text);
  });

  it.each(samples)("guesses %s for %j", (_encoding, text, bytes) => {
    expect(decodeText(fromHex(bytes))).toBe(text);
    if (text.length < 10) return;
    const lines = joined(...Array.from({ length: 400 }, () => joined(fromHex(bytes), utf8("\n"))));
    expect(decodeText(lines)).toBe(`${text}\n`.repeat(400));
  });

  it("is UTF-8 for every text that is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
        fc.pre(!/\p{Cc}|\uFEFF/u.test(text));
        expect(decodeText(utf8(text))).toBe(text);
      }),
    );
  });

  it("is none for what is no text", () => {
    expect(
      decodeText(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49])),
    ).toBeUndefined();
    expect(decodeText(Uint8Array.from({ length: 512 }, (_, index) => (index * 7) % 256))).toBeUndefined();
  });
});

describe("an encoding that is named", () => {
  const named = samples.map(([encoding, text, bytes]) => ({ encoding, text, bytes: fromHex(bytes) }));

  it.each(named)("$encoding: in the header, in <meta>, in XML", ({ encoding, text, bytes }) => {
    expect(decodeText(bytes, { contentType: `text/html; charset=${encoding}` })).toBe(text);
    expect(decodeText(bytes, { contentType: `text/csv; Charset="${encoding.toUpperCase()}"; header=present` })).toBe(
      text,
    );
    for (const [before, after] of [
      [`<!doctype html><html><head><meta charset="${encoding}"></head>`, "</html>"],
      [`<html><head><title>a</title><META content='text/html; charset=${encoding}' http-equiv=Content-Type>`, ""],
      [`<?xml version="1.0" encoding="${encoding}"?>\n<a>`, "</a>"],
    ] as const) {
      expect(decodeText(joined(utf8(before), bytes, utf8(after)))).toBe(`${before}${text}${after}`);
    }
  });

  it("reads the names that pages and servers write, as browsers do", () => {
    const gbk = fromHex("cdcbbbf5");
    for (const name of ["gbk", "GB2312", "gb_2312-80", "x-gbk"]) {
      expect(decodeText(gbk, { contentType: `text/html;charset=${name}` })).toBe("退货");
    }
    expect(decodeText(new Uint8Array([0x80, 0x93]), { contentType: "text/plain; charset=ISO-8859-1" })).toBe("€“");
    const xml = joined(utf8('<?xml version="1.0" encoding="ISO-8859-1"?><a>'), new Uint8Array([0xfc]), utf8("</a>"));
    expect(decodeText(xml)).toContain("<a>ü</a>");
  });

  it("believes the mark before the header, the header before the page, and none that no browser knows", () => {
    const page = joined(utf8("<meta charset=gbk>"), utf8("é"));
    expect(decodeText(page, { contentType: "text/html; charset=utf-8" })).toBe("<meta charset=gbk>é");
    expect(decodeText(utf16("é"), { contentType: "text/plain; charset=gbk" })).toBe("é");
    expect(decodeText(utf8("é"), { contentType: "text/plain; charset=klingon" })).toBe("é");
    expect(decodeText(utf8("<!-- <meta charset=gbk> -->é"))).toBe("<!-- <meta charset=gbk> -->é");
    expect(decodeText(utf8("<meta charset=utf-16>é"))).toBe("<meta charset=utf-16>é");
  });

  it.each([
    ["application/json", '{"html":"<meta charset=iso-8859-1>","name":"Müller 查询"}'],
    ["", '{"html":"<meta charset=iso-8859-1>","name":"Müller 查询"}'],
    ["application/ld+json", '"<?xml version=\\"1.0\\" encoding=\\"gbk\\"?> 查询"'],
    ["text/markdown", 'Write `<meta charset="gbk">` für Müller.'],
    ["text/plain", 'Write <meta charset="gbk"> für Müller.'],
    ["text/markdown", '<meta charset="gbk"> für Müller'],
    ["text/csv", '<meta charset="gbk">,Müller'],
  ])("takes what %s text quotes for no word about itself: %s", (contentType, text) => {
    expect(decodeText(utf8(text), { contentType })).toBe(text);
  });

  it.each(["text/html", "application/xhtml+xml; profile=x", "image/svg+xml"])("looks into all of %s", (contentType) => {
    const page = joined(utf8("<p><meta charset=gbk>"), fromHex("cdcbbbf5"));
    expect(decodeText(page, { contentType })).toBe("<p><meta charset=gbk>退货");
  });

  it("does not believe UTF-8 that most letters contradict", () => {
    expect(decodeText(fromHex("cdcbbbf5d5feb2df"), { contentType: "text/plain; charset=utf-8" })).toBe("退货政策");
  });
});

it("drops a letter that is cut off", () => {
  expect(decodeText(utf8("aé").subarray(0, 2), { truncated: true })).toBe("a");
  expect(decodeText(fromHex("cdcbbbf5d5feb2"), { truncated: true, contentType: "text/plain; charset=gbk" })).toBe(
    "退货政",
  );
  expect(decodeText(fromHex("cdcbbbf5d5feb2dfcd"), { truncated: true })).toBe("退货政策");
});
