/**
 * Languages whose words keyword search compares by their stems, as Postgres names its text search configurations; `simple`
 * is every other one, whose words are compared as they are written. Source:
 * https://www.postgresql.org/docs/15/textsearch-dictionaries.html#TEXTSEARCH-SNOWBALL-DICTIONARY
 */
export const searchLanguages = {
  arabic: "Arabic",
  armenian: "Armenian",
  basque: "Basque",
  catalan: "Catalan",
  danish: "Danish",
  dutch: "Dutch",
  english: "English",
  finnish: "Finnish",
  french: "French",
  german: "German",
  greek: "Greek",
  hindi: "Hindi",
  hungarian: "Hungarian",
  indonesian: "Indonesian",
  irish: "Irish",
  italian: "Italian",
  lithuanian: "Lithuanian",
  nepali: "Nepali",
  norwegian: "Norwegian",
  portuguese: "Portuguese",
  romanian: "Romanian",
  russian: "Russian",
  serbian: "Serbian",
  spanish: "Spanish",
  swedish: "Swedish",
  tamil: "Tamil",
  turkish: "Turkish",
  yiddish: "Yiddish",
  simple: "Another language",
} as const;

/** One of `searchLanguages`. */
export type SearchLanguage = keyof typeof searchLanguages;

/** Whether a text names one. */
export const isSearchLanguage = (name: string): name is SearchLanguage => Object.hasOwn(searchLanguages, name);
