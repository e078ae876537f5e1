/** Any of these words, whole, in any language's letters. */
function words(alternatives: readonly string[], but = ""): RegExp {
  const not = but === "" ? "" : String.raw`(?!\s+(?:${but})(?![\p{L}\d]))`;
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${alternatives.join("|")})(?![\p{L}\d])${not}`, "iu");
}

/** Words after which stands who is left out, to the end of the sentence: English, German, French, Spanish, Italian, Portuguese, Dutch. */
export const excepting = words([
  String.raw`except(?:\s+for)?|excluding|other\s+than|apart\s+from|instead\s+of|rather\s+than`,
  String.raw`(?:all|everyone|everybody|anyone|anybody|nobody|none)\s+but`,
  String.raw`au(?:ß|ss)er|ausgenommen|bis\s+auf|mit\s+ausnahme|abgesehen\s+von|(?:an)?statt|anstelle|alle[nr]?\s+ohne`,
  String.raw`sauf|except[ée]e?s?|hormis|à\s+l['’]exception|à\s+part|en\s+dehors\s+d[eu]|au\s+lieu\s+d[eu]|plutôt\s+qu[e'’]`,
  String.raw`excepto|salvo|tod[oa]s\s+menos|a\s+excepción|con\s+excepción|aparte\s+de|en\s+(?:vez|lugar)\s+de`,
  String.raw`tranne|eccetto|ad\s+eccezione|invece\s+di|exceto|em\s+vez\s+de|behalve|uitgezonderd|in\s+plaats\s+van`,
]);

/** Words that deny what follows them, to the end of the clause. */
export const denying = words(
  ["not|never|don['’]t", String.raw`ne|n['’](?=\p{L})\p{L}+|pas|jamais|rien|aucune?|ni`, "nunca|jamás|tampoco|não|non"],
  "only|just|forget|hesitate|miss|seulement|solo|sólo|só",
);

/** Words that deny their whole clause, since what is denied may stand before them: "Schick das bob@acme.example nicht." */
export const denyingClause = words(
  ["nicht|nie|niemals|kein(?:e[mnrs]?)?|keinesfalls|keineswegs", "niet|nooit|geen"],
  "nur|bloß|bloss|vergessen|alleen",
);

const spanishNo = words(["no"]);
const spanish =
  /(?<!\p{L})(?:el|las?|los|un[ao]?|para|pero|que|del?|por|con|al|y|es|esto|lo|le|les|sin|sino)(?!\p{L})/giu;

/** "No" as Spanish has it; in English it counts nothing and denies nobody. */
export function spanishDenial(text: string): RegExpExecArray | null {
  const found = new Set([...text.matchAll(spanish)].map(([word]) => word.toLowerCase()));
  return found.size >= 2 ? spanishNo.exec(text) : null;
}

const englishDenial = words(["not|never|nothing|without|don['’]t|no"]);
/** Denial in any of these languages. */
export const anyDenial = new RegExp(`${englishDenial.source}|${denying.source}|${denyingClause.source}`, "iu");
