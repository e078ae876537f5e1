/** What leads somewhere when a text holds it: links and hosts, addresses of mail, accounts and telephone numbers. */
const forms: readonly RegExp[] = [
  /\b[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'<>()]+/giu,
  /(?<![^\s@"'<>(),;:])[^\s@"'<>(),;:]{1,500}@[^\s@"'<>(),;:]{1,200}\.[\p{L}\d-]{2,24}/gu,
  /(?<![\p{L}\d@.-])(?:[\p{L}\d][\p{L}\d-]{0,62}\.){1,10}[a-z\u00a1-\uffff]{2,24}(?::\d+)?(?:\/[^\s"'<>()]*)?/giu,
  /\b[A-Z]{2}\d{2}(?:\s?[A-Z\d]{3,4}){3,8}\b/gu,
  /\b(?:0x[\da-fA-F]{40}|(?:bc|tb)1[a-z\d]{25,87}|[13][a-km-zA-HJ-NP-Z1-9]{25,34})\b/gu,
  /(?<![\w.])\+?\d(?:[\s()./-]?\d){7,14}(?!\w)/gu,
];

/** Names of files look like hosts; with a path before or behind them they are none. */
const file =
  /^[^/@:]*\.(?:txt|docx?|xlsx?|pptx?|pdf|csv|tsv|md|json|xml|html?|png|jpe?g|gif|webp|svg|zip|eml|log|rtf|odt|ods|epub|mp3|mp4|wav|py|js|ts)$/i;
const moment = /^\d{4}-\d{2}-\d{2}[\d\s./()-]*$/;

/** The addresses in a text, as they stand there or as HTML means them. */
export function addressesIn(text: string): string[] {
  const found = new Set<string>();
  for (const read of new Set([text, asHtmlMeans(text)])) {
    for (const form of forms) {
      for (const [match] of read.matchAll(form)) {
        const address = match.replace(/[.,;:!?]+$/u, "");
        if (!file.test(address) && !moment.test(address)) found.add(address);
      }
    }
  }
  return [...found];
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  colon: ":",
  commat: "@",
  hyphen: "-",
  lowbar: "_",
  newline: "\n",
  period: ".",
  plus: "+",
  sol: "/",
  tab: "\t",
};

function asHtmlMeans(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{3,8}));?/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") return named[name.toLowerCase()] ?? whole;
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0x10_ff_ff ? whole : String.fromCodePoint(code);
  });
}
