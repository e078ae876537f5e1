import type { PrivacySettings } from "../../document/workflow-document.ts";

/** A kind of data that can be masked without saying how it looks. */
export type MaskKind = PrivacySettings["mask"][number];

/**
 * How keys look, as their vendors document it: OpenAI, Anthropic, Google, GitHub, GitLab, Slack, AWS, Hugging Face, Stripe;
 * tokens of the form of a JSON Web Token (RFC 7519), what follows "Bearer", and private keys in PEM (RFC 7468). Every
 * repetition is bounded or of one class of characters, so that matching takes linear time.
 */
const keys: readonly RegExp[] = [
  /\bsk-(?:ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]{16,250}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{30,250}|github_pat_[A-Za-z0-9_]{30,250}|glpat-[A-Za-z0-9_-]{20,100})/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bhf_[A-Za-z0-9]{30,100}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}/g,
  /\beyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}/g,
  /(?<=\bBearer )[A-Za-z0-9._~+/-]{16,4000}={0,2}/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\n-]{0,8000}?-----END [A-Z ]{0,30}PRIVATE KEY-----/g,
];

/** Letters of scripts that set words apart by blanks: of others, the words around would seem part of an address. */
const letter = String.raw`\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Devanagari}\p{M}`;

/** An address as the HTML standard's e-mail field takes it, with a dot in its domain; letters as RFC 6531 allows them. */
const email = new RegExp(
  String.raw`[${letter}\d.!#$%&'*+/=?^_\x60{|}~-]{1,64}@(?:[${letter}\d](?:[${letter}\d-]{0,61}[${letter}\d])?\.){1,8}[${letter}]{2,24}`,
  "gu",
);

/** 13–19 digits, in groups or not (ISO/IEC 7812). */
const card = /(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.]*\d)/g;

/** An international bank account number in capitals, in groups or not (ISO 13616), and perhaps words in capitals after it. */
const iban = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}/g;

/** The same in letters of any case, without groups. */
const looseIban = /\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b/gi;

/** With a country code after + (ITU-T E.164: 7 to 15 digits), or as North America writes them. */
const phone =
  /(?<![\w+])\+[1-9](?:[ ()./-]{0,3}\d){6,14}(?!\d)|(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])/g;

/** Whether the check digits of an account number fit (ISO 7064, MOD 97-10). */
function passesMod97(account: string): boolean {
  let rest = 0;
  for (const sign of account.slice(4) + account.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** The account number at the beginning of a text, masked; words in capitals may follow it. */
function maskIban(found: string): string {
  const groups = found.split(" ");
  for (let count = groups.length; count > 0; count -= 1) {
    const account = groups.slice(0, count).join("");
    if (account.length >= 15 && account.length <= 34 && passesMod97(account))
      return ["[iban]", ...groups.slice(count)].join(" ");
  }
  return found;
}

/** Whether the last digit of a card's number fits the others (Luhn, ISO/IEC 7812-1 annex B). */
function passesLuhn(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && !/^0+$/.test(digits);
}

const masks: Record<MaskKind, (text: string) => string> = {
  keys: (text) => keys.reduce((masked, pattern) => masked.replace(pattern, "[key]"), text),
  emails: (text) => (text.includes("@") ? text.replace(email, "[email]") : text),
  cards: (text) => text.replace(card, (found) => (passesLuhn(found) ? "[card]" : found)),
  ibans: (text) => text.replace(iban, maskIban).replace(looseIban, (found) => (passesMod97(found) ? "[iban]" : found)),
  phones: (text) => text.replace(phone, "[phone]"),
};

/** The text with everything of one kind replaced by its name in brackets. */
export function maskKind(kind: MaskKind, text: string): string {
  return masks[kind](text);
}
