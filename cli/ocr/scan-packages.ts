import { type ScanLanguage, scanLanguages } from "../../src/documents/scan/scan-languages.ts";

/** A package of npm with the hash that its lock file must name. */
export interface NpmPackage {
  name: string;
  version: string;
  integrity: string;
}

/** Tesseract, compiled to WebAssembly. */
export const corePackage: NpmPackage = {
  name: "tesseract.js-core",
  version: "7.0.0",
  integrity: "sha512-WnNH518NzmbSq9zgTPeoF8c+xmilS8rFIl1YKbk/ptuuc7p6cLNELNuPAzcmsYw450ca6bLa8j3t0VAtq435Vw==",
};

const integrities: Record<ScanLanguage, string> = {
  english: "sha512-mbTumm6KQPUHyzTPQaF3ObXYnx0SqqfV2nabqFVQBwD6Kl7PhGSLSzOlfFTWy0P3BjghaSKA2W9GB19Jk+ZcTg==",
  german: "sha512-3ter1p2gFAiCd5CMC+PodZ9YY2UDomkKj+ytlKeeZqOUmhLx1SDnYPf5zog0g5MBbxYveW+8omI3PUflqHfZ4Q==",
  french: "sha512-pp58gMaoyidoBBLd5y5rnf0WW0Y1994QrGqZrYatITqIU/AReUJMykD+YY3JDgvnmgz7uAx1UmhjjuyEmV8JEA==",
  spanish: "sha512-9Ln+QKq/TNu4Hy4aOp5b4nXo9U0C6IqJMzNDpAJZe/fNtz6jXG9G/hQgR/Irxj+RGf0M7Xy1MNx1yl4wQUIfeg==",
  chinese: "sha512-iuErURkPbECDUazgsLn/r3c+tU2y5o5S/w14d0A/YiagfsjYyZKgTo75RUpsGJ311qtu0dIX4hqnXAAjmqf2CA==",
};

/** The data of a language. */
export const languagePackage = (language: ScanLanguage): NpmPackage => ({
  name: `@tesseract.js-data/${scanLanguages[language].data}`,
  version: "1.0.0",
  integrity: integrities[language],
});
